/** /finance/partner: what each channel is owed for a month, whether it has confirmed that, and what is paid. */
import type { PartnerStatementRow, SelectOption } from "../../../lib/api-types";
import { useLoaded } from "../../../lib/props";
import { ListPage } from "../../../ui/list-page";
import { PartnerTabs } from "../tabs";
import { make, partnerStatementActions } from "./actions";
import { partnerStatementFields, partnerStatementFilters } from "./fields";

export default function PartnerStatements() {
  const channels = useLoaded<SelectOption[]>("channels") ?? [];
  return (
    <>
      <PartnerTabs current="/finance/partner" />
      <ListPage<PartnerStatementRow>
        title="partner.title"
        empty="partner.empty"
        api="/partner/statement"
        points="finance/partner"
        fields={partnerStatementFields}
        filters={partnerStatementFilters}
        href={({ id }) => `/finance/partner/${id}`}
        create={{ label: "partner.make", point: "statement", run: (list) => make(list, channels) }}
        actions={partnerStatementActions}
      />
    </>
  );
}
