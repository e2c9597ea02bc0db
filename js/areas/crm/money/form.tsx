/** The forms of money: what was paid, and why a record is rejected or void. A lazy chunk. */
import * as z from "zod/mini";

import type { MoneyRow } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { moneyTypeCodes, payMethodCodes } from "../../../lib/codes";
import type { Translate } from "../../../lib/i18n";
import { decisionLimits, moneyLimits, outgoingPaymentLimits } from "../../../lib/limits";
import { unmergeable } from "../../../ui/conflict";
import { labelOf } from "../../../ui/field";
import type { Form } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import type { Overlay } from "../../../ui/overlay";

const SERIAL = /^[A-Za-z\d-]+$/;

interface MoneyDialog {
  overlay: Overlay<MoneyRow>;
  t: Translate;
  /** The clue that the money belongs to; without one its number is typed. */
  clue: { clueId: number; clueNo: string } | undefined;
  /** The record to be edited; a new one without it. */
  row: MoneyRow | undefined;
}

function moneyForm(t: Translate, isClueGiven: boolean, row: MoneyRow | undefined) {
  const rule = rules(t);
  const codes = (labels: string, all: readonly string[]) => all.map((value) => ({ value, label: labelOf(t, labels, value) }));
  const isRefund = ({ type }: Record<string, string | string[]>) => type === "refund";
  const schema = z
    .object({
      clueNo: rule.text(32),
      type: rule.oneOf(moneyTypeCodes),
      loanCents: rule.optionalMoney(1, moneyLimits.mostCents),
      amountCents: rule.money(moneyLimits.mostCents),
      payMethod: rule.oneOf(payMethodCodes),
      bankSerial: rule.optional(outgoingPaymentLimits.number, SERIAL),
      paidAt: rule.moment(t("money.paidNeeded")),
      proofFileIds: rule.ids(),
      remark: rule.note(moneyLimits.remark),
    })
    .check(
      z.refine(({ amountCents }) => amountCents > 0, { path: ["amountCents"], error: t("money.amountNeeded") }),
      z.refine(({ type, payMethod, bankSerial }) => type !== "refund" || payMethod !== "bank" || bankSerial !== null, {
        path: ["bankSerial"],
        error: t("money.serialNeeded"),
      }),
    );
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      {
        name: "clueNo",
        label: "money.clueNo",
        kind: "text",
        required: true,
        fixed: isClueGiven,
        hint: isClueGiven ? undefined : "money.clueHint",
      },
      { name: "type", label: "money.type", kind: "select", required: true, choices: codes("MoneyType", moneyTypeCodes) },
      { name: "amountCents", label: "money.amountInput", kind: "money", required: true },
      { name: "loanCents", label: "money.loanInput", kind: "money", hint: "money.loanHint", when: (inputs) => !isRefund(inputs) },
      { name: "payMethod", label: "money.payMethod", kind: "select", required: true, choices: codes("PayMethod", payMethodCodes) },
      {
        name: "bankSerial",
        label: "money.bankSerial",
        kind: "text",
        when: isRefund,
        requiredWhen: ({ payMethod }) => payMethod === "bank",
      },
      { name: "paidAt", label: "money.paidAt", kind: "moment", required: true },
      {
        name: "proofFileIds",
        label: "money.proofFiles",
        kind: "files",
        bizType: "money_proof",
        max: moneyLimits.mostProofs,
        stored: row?.proofFiles ?? [],
        wide: true,
        hint: "money.proofsHint",
      },
      { name: "remark", label: "money.remark", kind: "area", wide: true },
    ],
  };
  return form;
}

/** The dialog of a record; it closes with the record as it was saved. */
export function moneyDialog({ overlay, t, clue, row }: MoneyDialog) {
  const blank = {
    clueNo: clue?.clueNo ?? "",
    type: "service",
    loanCents: null,
    amountCents: null,
    payMethod: "bank",
    bankSerial: null,
    paidAt: null,
    proofFileIds: [],
    remark: "",
  } as const;
  return (
    <FormDialog
      overlay={overlay}
      title={t(row ? "money.edit" : "money.create")}
      draft={row || !clue ? "money" : `money of ${clue.clueId}`}
      note={row?.status === "rejected" && row.reviewNote ? t("money.rejectedFor", { note: row.reviewNote }) : undefined}
      reviewers="/crm/money/reviewers"
      form={moneyForm(t, Boolean(clue), row)}
      record={row ? { ...row, proofFileIds: row.proofFiles.map(({ id }) => id) } : blank}
      save={(values, record) =>
        "id" in record
          ? api.post<MoneyRow>("/crm/updateMoney", { ...values, id: record.id, version: record.version })
          : api.post<MoneyRow>("/crm/addMoney", { ...values, clueId: clue?.clueId ?? null })
      }
    />
  );
}

/** Steps that need a note. */
export type MoneyStep = "reject" | "void";

interface NoteDialog {
  overlay: Overlay<MoneyRow>;
  t: Translate;
  row: MoneyRow;
  step: MoneyStep;
}

/** The dialog that asks why; it closes with the record as it was decided on. */
export function moneyNoteDialog({ overlay, t, row: { id, version, no }, step }: NoteDialog) {
  return (
    <FormDialog
      overlay={overlay}
      title={t(`money.${step}Title`, { no })}
      draft={`money.${step} ${id}`}
      submit={t(`money.${step}`)}
      form={{
        schema: z.object({ note: rules(t).text(decisionLimits.reason) }),
        fields: [
          {
            name: "note",
            label: "money.reviewNote",
            kind: "area",
            required: true,
            wide: true,
            hint: step === "void" ? "money.voidHint" : undefined,
          },
        ],
      }}
      record={{ note: "" }}
      save={async ({ note }) => {
        try {
          return await api.put<MoneyRow>("/crm/money/status", { id, version, status: step === "reject" ? "rejected" : "void", note });
        } catch (error) {
          // The decision is about the record as it was read: after a change there is nothing to merge.
          throw unmergeable(error);
        }
      }}
    />
  );
}
