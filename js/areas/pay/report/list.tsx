/** /payConfig/order-list/reports: reports of providers that could not be processed; they are tried again, or settled once the cause is known. */
import type { PaymentReportRow } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { type List, ListPage, type RowAction } from "../../../ui/list-page";
import { OrderTabs } from "../tabs";
import { paymentReportFields, paymentReportFilters } from "./fields";

export const actions: readonly RowAction<PaymentReportRow>[] = [
  { label: "paymentReport.retry", point: "settle", when: (_, { orgId }) => orgId === null, run: retry },
  { label: "paymentReport.settle", point: "settle", when: (_, { orgId }) => orgId === null, run: settle },
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

async function settle({ id, orderNo }: PaymentReportRow, { t, open, reload }: List) {
  const { noteDialog } = await import("../../../ui/note-dialog");
  const settled = await open<true>((overlay) =>
    noteDialog({
      overlay,
      t,
      title: t("paymentReport.settleTitle", { no: orderNo }),
      submit: t("paymentReport.settle"),
      draft: `paymentReport.settle ${id}`,
      label: "paymentReport.settleNote",
      hint: "paymentReport.settleHint",
      save: async (note): Promise<true> => {
        await api.put("/payReport/settle", { id, note });
        return true;
      },
    }),
  );
  if (settled) await reload("paymentReport.settled");
}
