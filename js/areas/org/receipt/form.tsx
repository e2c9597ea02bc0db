/** The forms of a receipt: what was paid, and why it is rejected or void. A lazy chunk. */
import * as z from "zod/mini";

import type { ReceiptRow } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { payMethodCodes, receiptTypeCodes } from "../../../lib/codes";
import type { Translate } from "../../../lib/i18n";
import { decisionLimits, incomingPaymentLimits, receiptLimits } from "../../../lib/limits";
import { unmergeable } from "../../../ui/conflict";
import { labelOf } from "../../../ui/field";
import type { Form } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import type { Overlay } from "../../../ui/overlay";
import { newOrg, newPayee } from "../share";
import type { ReceiptChoices } from "./fields";

const SERIAL = /^[A-Za-z\d-]+$/;

/** What a new receipt starts with. */
const blank = {
  orgId: null,
  payeeOrgId: null,
  bizType: "recharge",
  amountCents: null,
  payMethod: "bank",
  paidAt: null,
  payerName: "",
  bankSerial: null,
  proofFileIds: [],
  remark: "",
} as const;

interface ReceiptDialog {
  overlay: Overlay<ReceiptRow>;
  t: Translate;
  choices: ReceiptChoices;
  /** The receipt to be edited; a new one without it. */
  row: ReceiptRow | undefined;
}

function receiptForm(t: Translate, { orgs, payees }: ReceiptChoices, row: ReceiptRow | undefined) {
  const rule = rules(t);
  const codes = (labels: string, all: readonly string[]) => all.map((value) => ({ value, label: labelOf(t, labels, value) }));
  /** The value of the record stays a choice, even if it is not offered any more. */
  const withOwn = (choices: ReceiptChoices["orgs"], own: { value: number; label: string } | undefined) =>
    own && !choices.some(({ value }) => value === own.value) ? [...choices, own] : choices;
  const schema = z
    .object({
      orgId: rule.id(),
      payeeOrgId: rule.id(),
      bizType: rule.oneOf(receiptTypeCodes),
      amountCents: rule.money(receiptLimits.mostCents),
      payMethod: rule.oneOf(payMethodCodes),
      paidAt: rule.moment(t("receipt.paidNeeded")),
      payerName: rule.text(receiptLimits.payerName),
      bankSerial: rule.optional(incomingPaymentLimits.number, SERIAL),
      proofFileIds: rule.ids(),
      remark: rule.note(receiptLimits.remark),
    })
    .check(
      z.refine(({ amountCents }) => amountCents > 0, { path: ["amountCents"], error: t("receipt.amountNeeded") }),
      z.refine(({ payMethod, bankSerial }) => payMethod !== "bank" || bankSerial !== null, {
        path: ["bankSerial"],
        error: t("receipt.serialNeeded"),
      }),
    );
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      {
        name: "orgId",
        label: "receipt.orgName",
        kind: "select",
        required: true,
        fixed: Boolean(row),
        empty: "receipt.choose",
        search: "/org/options",
        choices: withOwn(orgs, row && { value: row.orgId, label: row.orgName }),
        create: newOrg,
      },
      {
        name: "payeeOrgId",
        label: "receipt.payeeOrgName",
        kind: "select",
        required: true,
        empty: "receipt.choose",
        choices: withOwn(payees, row && { value: row.payeeOrgId, label: row.payeeOrgName }),
        create: newPayee,
      },
      {
        name: "bizType",
        label: "receipt.bizType",
        kind: "select",
        required: true,
        choices: codes("ReceiptType", receiptTypeCodes),
        hint: "receipt.bizTypeHint",
      },
      { name: "amountCents", label: "receipt.amountInput", kind: "money", required: true },
      { name: "payMethod", label: "receipt.payMethod", kind: "select", required: true, choices: codes("PayMethod", payMethodCodes) },
      { name: "paidAt", label: "receipt.paidAt", kind: "moment", required: true },
      { name: "payerName", label: "receipt.payerName", kind: "text", required: true },
      { name: "bankSerial", label: "receipt.bankSerial", kind: "text" },
      {
        name: "proofFileIds",
        label: "receipt.proofFiles",
        kind: "files",
        bizType: "receipt_proof",
        max: receiptLimits.mostProofs,
        stored: row?.proofFiles ?? [],
        wide: true,
        hint: "receipt.proofsHint",
      },
      { name: "remark", label: "receipt.remark", kind: "area", wide: true },
    ],
  };
  return form;
}

/** The dialog of a receipt; it closes with the receipt as it was saved. */
export function receiptDialog({ overlay, t, choices, row }: ReceiptDialog) {
  return (
    <FormDialog
      overlay={overlay}
      title={t(row ? "receipt.edit" : "receipt.create")}
      draft="receipt"
      note={row?.status === "rejected" && row.reviewNote ? t("receipt.rejectedFor", { note: row.reviewNote }) : undefined}
      reviewers="/org/receipt/reviewers"
      form={receiptForm(t, choices, row)}
      record={row ? { ...row, proofFileIds: row.proofFiles.map(({ id }) => id) } : blank}
      save={(values, record) =>
        "id" in record
          ? api.put<ReceiptRow>("/org/receipt", { ...values, id: record.id, version: record.version })
          : api.post<ReceiptRow>("/org/receipt", values)
      }
    />
  );
}

interface DecisionDialog {
  overlay: Overlay<ReceiptRow>;
  t: Translate;
  row: ReceiptRow;
  step: ReceiptStep;
}

/** Steps that need a reason: a rejection, a request to void a credited receipt, and the refusal of that request. */
export type ReceiptStep = "reject" | "askVoid" | "keep";

/** The dialog that asks why; it closes with the receipt as it was decided on. */
export function decisionDialog({ overlay, t, row: { id, version, no }, step }: DecisionDialog) {
  return (
    <FormDialog
      overlay={overlay}
      title={t(`receipt.${step}Title`, { no })}
      draft={`receipt.${step} ${id}`}
      submit={t(`receipt.${step}`)}
      form={{
        schema: z.object({ note: rules(t).text(decisionLimits.reason) }),
        fields: [
          {
            name: "note",
            label: "receipt.reviewNote",
            kind: "area",
            required: true,
            wide: true,
            hint: step === "askVoid" ? "receipt.askVoidHint" : undefined,
          },
        ],
      }}
      record={{ note: "" }}
      save={async ({ note }) => {
        try {
          if (step === "askVoid") return await api.put<ReceiptRow>("/org/receipt/void", { id, version, note });
          return await api.put<ReceiptRow>("/org/receipt/status", {
            id,
            version,
            status: step === "reject" ? "rejected" : "confirmed",
            note,
          });
        } catch (error) {
          // The decision is about the receipt as it was read: when it has changed, there is nothing to merge.
          throw unmergeable(error);
        }
      }}
    />
  );
}
