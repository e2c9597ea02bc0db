/** /org/receipt: what organisations paid, and who confirms it. */
import type { ReceiptRow } from "../../../lib/api-types";
import { ListPage } from "../../../ui/list-page";
import { edit, receiptActions, useReceiptChoices } from "./actions";
import { receiptFields, receiptFilters } from "./fields";

export default function ReceiptList() {
  const choices = useReceiptChoices();
  return (
    <ListPage<ReceiptRow>
      title="receipt.title"
      empty="receipt.empty"
      api="/org/receipt"
      points="org/receipt"
      fields={receiptFields}
      filters={receiptFilters}
      href={({ id }) => `/org/receipt/${id}`}
      create={{ label: "receipt.create", run: (list) => edit(undefined, list, choices) }}
      actions={receiptActions(choices)}
    />
  );
}
