/** /finance/account/adjustments: corrections of accounts by hand, and who approves them. */
import type { AdjustmentRow } from "../../../lib/api-types";
import { ListPage } from "../../../ui/list-page";
import { AccountTabs } from "../tabs";
import { adjustmentActions } from "./actions";
import { adjustmentFields, adjustmentFilters } from "./fields";

export default function Adjustments() {
  return (
    <>
      <AccountTabs current="/finance/account/adjustments" />
      <ListPage<AdjustmentRow>
        title="adjustment.title"
        empty="adjustment.empty"
        api="/finance/account/adjust"
        points="finance/account"
        fields={adjustmentFields}
        filters={adjustmentFilters}
        href={({ id }) => `/finance/account/adjustments/${id}`}
        actions={adjustmentActions}
      />
    </>
  );
}
