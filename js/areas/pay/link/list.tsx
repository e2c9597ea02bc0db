/** /payConfig/pool-list: payment links that were imported, each given to one order. */
import type { ImportReport, PaymentLinkRow } from "../../../lib/api-types";
import { type List, ListPage } from "../../../ui/list-page";
import { linkActions } from "./actions";
import { paymentLinkFields, paymentLinkFilters } from "./fields";

export default function LinkPool() {
  return (
    <ListPage<PaymentLinkRow>
      title="paymentLink.title"
      empty="paymentLink.empty"
      api="/payPool"
      points="payConfig/pool-list"
      fields={paymentLinkFields}
      filters={paymentLinkFilters}
      href={({ id }) => `/payConfig/pool-list/${id}`}
      imports={importLinks}
      actions={linkActions}
    />
  );
}

async function importLinks({ t, open, reload }: List) {
  const { ImportDialog } = await import("../../../ui/import-dialog");
  const report = await open<ImportReport>((overlay) => (
    <ImportDialog
      overlay={overlay}
      title={t("paymentLink.import")}
      hint={t("paymentLink.importHint")}
      path="/payPool/import"
      template="/payPool/template"
    />
  ));
  if (report) await reload();
}
