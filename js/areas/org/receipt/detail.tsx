/** /org/receipt/:id: one receipt, and what happened to it. */
import type { ReceiptRow } from "../../../lib/api-types";
import { DetailPage } from "../../../ui/detail-page";
import { recordTabs } from "../../../ui/record-tabs";
import { receiptActions, useReceiptChoices } from "./actions";
import { receiptFields, receiptTitles } from "./fields";

export default function ReceiptDetail() {
  return (
    <DetailPage<ReceiptRow>
      load="receipt"
      list={{ href: "/org/receipt", title: "receipt.title" }}
      points="org/receipt"
      title={({ no }) => no}
      status="status"
      facts={["orgName", "amountCents", "bizType", "paidAt"]}
      fields={receiptFields}
      actions={receiptActions(useReceiptChoices())}
      tabs={recordTabs(receiptFields, receiptTitles)}
    />
  );
}
