/** The forms of a payout: the amount to pay of a statement, the bank transfer that paid it, and the one that returned it. A lazy chunk. */
import { useState } from "react";
import * as z from "zod/mini";

import type { PartnerStatementRow, PayoutRow, SelectOption } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { money } from "../../../lib/format";
import type { Translate } from "../../../lib/i18n";
import { decisionLimits, payoutLimits } from "../../../lib/limits";
import { unmergeable } from "../../../ui/conflict";
import type { Form } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import type { Overlay } from "../../../ui/overlay";
import { anotherPaymentField, anotherPaymentRule, answerOf, questionOf } from "../../../ui/another-payment";
import { newPayee } from "../../org/share";

const DAY = /^\d{4}-\d\d-\d\d$/;

interface PayoutDialog {
  overlay: Overlay<PayoutRow>;
  t: Translate;
  row: PartnerStatementRow;
  payees: readonly SelectOption[];
}

const payeeField = (payees: readonly SelectOption[]) =>
  ({
    name: "payeeOrgId",
    label: "payout.payeeOrgName",
    kind: "select",
    required: true,
    empty: "adjustment.choose",
    choices: payees,
    create: newPayee,
  }) as const;

/** The dialog of a new payout, of all that is left unless less is typed; it closes with the payout as it was asked for. */
export function payoutDialog(dialog: PayoutDialog) {
  return <Request {...dialog} />;
}

function Request({ overlay, t, row: { id, channelName, month, netCents, askedCents }, payees }: PayoutDialog) {
  /** The server asks whether it is a different payment from others of the same amount. */
  const [isAsked, setIsAsked] = useState(false);
  const rule = rules(t);
  const left = netCents - askedCents;
  const schema = z
    .object({
      payeeOrgId: rule.id(),
      amountCents: rule.money(left),
      anotherPayment: anotherPaymentRule(t),
      remark: rule.note(payoutLimits.remark),
    })
    .check(z.refine(({ amountCents }) => amountCents > 0, { path: ["amountCents"], error: t("adjustment.amountNeeded") }));
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      payeeField(payees),
      { name: "amountCents", label: "payout.amountInput", kind: "money", required: true },
      { ...anotherPaymentField(t), when: () => isAsked },
      { name: "remark", label: "payout.remark", kind: "area", wide: true },
    ],
  };
  const [first, ...others] = payees;
  return (
    <FormDialog
      overlay={overlay}
      title={t("payout.askTitle", { channel: channelName, month })}
      draft={`payout of ${id}`}
      note={t("payout.askNote", { left: money(left) })}
      reviewers="/partner/payout/reviewers"
      submit={t("payout.ask")}
      form={form}
      record={{ payeeOrgId: first && others.length === 0 ? first.value : null, amountCents: left, anotherPayment: [], remark: "" }}
      save={async ({ anotherPayment, ...values }) => {
        try {
          return await api.post<PayoutRow>("/partner/payout", { ...values, ...answerOf(anotherPayment), statementId: id });
        } catch (error) {
          if (questionOf(error) !== undefined) setIsAsked(true);
          throw error;
        }
      }}
    />
  );
}

/** The dialog of a payment from before there were books; it closes with the payout that waits for its approval. */
export function openingDialog(dialog: PayoutDialog) {
  return <Opening {...dialog} />;
}

function Opening({ overlay, t, row: { id, channelName, month, netCents, askedCents, taxCents }, payees }: PayoutDialog) {
  /** The server asks whether it is a different payment from others of the same amount. */
  const [isAsked, setIsAsked] = useState(false);
  const rule = rules(t);
  const left = netCents - askedCents;
  const schema = z
    .object({
      payeeOrgId: rule.id(),
      amountCents: rule.money(left),
      taxCents: rule.money(taxCents),
      day: rule.text(10, DAY),
      bankNumber: rule.optional(payoutLimits.bankNumber),
      anotherPayment: anotherPaymentRule(t),
      proofFileIds: rule.ids(),
      remark: rule.note(payoutLimits.remark),
    })
    .check(
      z.refine(({ amountCents }) => amountCents > 0, { path: ["amountCents"], error: t("adjustment.amountNeeded") }),
      z.refine(({ bankNumber, remark }) => bankNumber !== null || remark !== "", { path: ["remark"], error: t("payout.numberOrRemark") }),
    );
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      payeeField(payees),
      { name: "amountCents", label: "payout.amountInput", kind: "money", required: true },
      { name: "taxCents", label: "payout.taxCents", kind: "money", required: true },
      { name: "day", label: "payout.day", kind: "date", required: true },
      { name: "bankNumber", label: "payout.bankNumber", kind: "text", hint: "payout.numberOrRemark" },
      { ...anotherPaymentField(t), when: () => isAsked },
      {
        name: "proofFileIds",
        label: "payout.proofFiles",
        kind: "files",
        bizType: "payout_proof",
        max: payoutLimits.mostProofs,
        stored: [],
        wide: true,
        hint: "adjustment.proofsHint",
      },
      { name: "remark", label: "payout.remark", kind: "area", wide: true },
    ],
  };
  const [first, ...others] = payees;
  return (
    <FormDialog
      overlay={overlay}
      title={t("payout.madeTitle", { channel: channelName, month })}
      draft={`payout.made ${id}`}
      note={t("payout.madeNote", { left: money(left) })}
      reviewers="/partner/payout/reviewers"
      submit={t("payout.enterMade")}
      form={form}
      record={{
        payeeOrgId: first && others.length === 0 ? first.value : null,
        amountCents: left,
        taxCents: 0,
        day: "",
        bankNumber: null,
        anotherPayment: [],
        proofFileIds: [],
        remark: "",
      }}
      save={async ({ anotherPayment, ...values }) => {
        try {
          return await api.post<PayoutRow>("/partner/payout/opening", { ...values, ...answerOf(anotherPayment), statementId: id });
        } catch (error) {
          if (questionOf(error) !== undefined) setIsAsked(true);
          throw error;
        }
      }}
    />
  );
}

interface PaymentDialog {
  overlay: Overlay<PayoutRow>;
  t: Translate;
  row: PayoutRow;
}

/** The dialog that enters the transfer of the bank; it closes with the payout as it was paid. */
export function paymentDialog({ overlay, t, row: { id, version, payoutNo, channelName, amountCents } }: PaymentDialog) {
  const rule = rules(t);
  const schema = z.object({
    bankNumber: rule.text(payoutLimits.bankNumber),
    paidAt: rule.moment(t("payout.paidNeeded")),
    proofFileIds: rule.ids(),
  });
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      { name: "bankNumber", label: "payout.bankNumber", kind: "text", required: true },
      { name: "paidAt", label: "payout.paidAt", kind: "moment", required: true },
      {
        name: "proofFileIds",
        label: "payout.proofFiles",
        kind: "files",
        bizType: "payout_proof",
        max: payoutLimits.mostProofs,
        stored: [],
        wide: true,
        hint: "adjustment.proofsHint",
      },
    ],
  };
  return (
    <FormDialog
      overlay={overlay}
      title={t("payout.paidTitle", { no: payoutNo })}
      draft={`payout.paid ${id} ${version}`}
      note={t("payout.paidNote", { channel: channelName, amount: money(amountCents) })}
      submit={t("payout.enterPaid")}
      form={form}
      record={{ bankNumber: "", paidAt: null, proofFileIds: [] }}
      save={async (values) => {
        try {
          return await api.put<PayoutRow>("/partner/payout/paid", { ...values, id, version });
        } catch (error) {
          // The entry is about the payout as it was read: when it has changed, there is nothing to merge.
          throw unmergeable(error);
        }
      }}
    />
  );
}

/** The dialog that enters that the bank sent the transfer back; it closes with the payout as it was returned. */
export function returnDialog({ overlay, t, row: { id, version, payoutNo, channelName, amountCents } }: PaymentDialog) {
  const rule = rules(t);
  const schema = z.object({
    bankNumber: rule.text(payoutLimits.bankNumber),
    returnedAt: rule.moment(t("payout.returnNeeded")),
    reason: rule.text(decisionLimits.reason),
  });
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      { name: "bankNumber", label: "payout.returnNumber", kind: "text", required: true },
      { name: "returnedAt", label: "payout.returnedAt", kind: "moment", required: true },
      { name: "reason", label: "payout.returnReason", kind: "area", required: true, wide: true },
    ],
  };
  return (
    <FormDialog
      overlay={overlay}
      title={t("payout.returnTitle", { no: payoutNo })}
      draft={`payout.return ${id} ${version}`}
      note={t("payout.returnNote", { channel: channelName, amount: money(amountCents) })}
      submit={t("payout.enterReturn")}
      form={form}
      record={{ bankNumber: "", returnedAt: null, reason: "" }}
      save={async (values) => {
        try {
          return await api.put<PayoutRow>("/partner/payout/returned", { ...values, id, version });
        } catch (error) {
          // The entry is about the payout as it was read: when it has changed, there is nothing to merge.
          throw unmergeable(error);
        }
      }}
    />
  );
}
