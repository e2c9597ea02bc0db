/** /payConfig/order-list/reports: reports of providers that could not be worked on, to be tried again once the cause is known. */
import type { PaymentReportRow } from "../../lib/api-types";
import { api } from "../../lib/api";
import { type List, ListPage, type RowAction } from "../../ui/list-page";
import { paymentReportFields, paymentReportFilters } from "./report-fields";
import { OrderTabs } from "./tabs";

const actions: readonly RowAction<PaymentReportRow>[] = [
  { label: "paymentReport.retry", point: "settle", when: (_, { orgId }) => orgId === null, run: retry },
];

export default function Reports() {
  return (
    <>
      <OrderTabs current="/payConfig/order-list/reports" />
      <ListPage<PaymentReportRow>
        title="paymentReport.title"
        empty="paymentReport.empty"
        api="/payReport"
        points="payConfig/order-list"
        fields={paymentReportFields}
        filters={paymentReportFilters}
        actions={actions}
      />
    </>
  );
}

async function retry({ id }: PaymentReportRow, { reload }: List) {
  await api.put("/payReport/retry", { id });
  await reload("paymentReport.retrying");
}
