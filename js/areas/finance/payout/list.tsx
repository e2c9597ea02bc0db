/** /finance/partner/payouts: what is paid to channels, and who approves it. */
import type { PayoutRow } from "../../../lib/api-types";
import { ListPage } from "../../../ui/list-page";
import { PartnerTabs } from "../tabs";
import { payoutActions } from "./actions";
import { payoutFields, payoutFilters } from "./fields";

export default function Payouts() {
  return (
    <>
      <PartnerTabs current="/finance/partner/payouts" />
      <ListPage<PayoutRow>
        title="payout.title"
        empty="payout.empty"
        api="/partner/payout"
        points="finance/partner"
        fields={payoutFields}
        filters={payoutFilters}
        href={({ id }) => `/finance/partner/payouts/${id}`}
        actions={payoutActions}
      />
    </>
  );
}
