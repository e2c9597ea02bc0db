/** /org/receipt/:id: one receipt, and what happened to it. */
import type { ReceiptRow } from "../../../lib/api-types";
import { DetailPage } from "../../../ui/detail-page";
import { linkedFields } from "../../../ui/record-link";
import { recordTabs } from "../../../ui/record-tabs";
import { receiptActions, useReceiptChoices } from "./actions";
import { receiptFields, receiptTitles } from "./fields";

/** The fields of the page: the names of other records are links. */
const fields = linkedFields(receiptFields);

export default function ReceiptDetail() {
  return (
    <DetailPage<ReceiptRow>
      load="receipt"
      list={{ href: "/org/receipt", title: "receipt.title" }}
      points="org/receipt"
      title={({ no }) => no}
      status="status"
      facts={["orgName", "amountCents", "bizType", "paidAt"]}
      fields={fields}
      actions={receiptActions(useReceiptChoices())}
      tabs={recordTabs(fields, receiptTitles)}
    />
  );
}
