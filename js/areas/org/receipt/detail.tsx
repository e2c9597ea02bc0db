/** /org/receipt/:id: one receipt: whether it is credited or who decides on it, and what happened to it. */
import type { ReceiptRow } from "../../../lib/api-types";
import { minute, money } from "../../../lib/format";
import { type Translate, useT } from "../../../lib/i18n";
import { DetailPage } from "../../../ui/detail-page";
import { linkedFields, RecordLink } from "../../../ui/record-link";
import { RecordState } from "../../../ui/record-state";
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
      sentence={(row) => <State row={row} />}
      facts={["orgName", "amountCents", "bizType", "payMethod", "paidAt", "payerName", "bankSerial", "proofFiles"]}
      fields={fields}
      actions={receiptActions(useReceiptChoices())}
      tabs={recordTabs(fields, receiptTitles)}
    />
  );
}

/** Whether the receipt is credited, who has to act, and the account that it is for. */
function State({ row }: { row: ReceiptRow }) {
  const t = useT();
  const isOpen = row.status === "waiting" || row.decision?.action === "void_receipt";
  return (
    <RecordState text={stateOf(row, t)} decision={isOpen ? row.decision : null}>
      <RecordLink href={`/finance/account/${row.orgId}`} point="finance/account/list" name={t("receipt.account")} inText />
    </RecordState>
  );
}

function stateOf(
  { status, bizType, orgName: org, amountCents, paidAt, decision, creatorName, reviewNote }: ReceiptRow,
  t: Translate,
): string {
  const names = decision?.makerNames ?? creatorName ?? "";
  const state = t(`receipt.state.${status === "confirmed" && bizType === "other" ? "confirmedOther" : status}`, {
    status: t(`ReceiptStatus.${status}`),
    org,
    amount: money(amountCents),
    at: minute(paidAt),
    names,
    note: reviewNote ?? "",
  });
  return decision?.action === "void_receipt" ? state + t("receipt.state.voidAsked", { names, note: decision.note ?? "" }) : state;
}
