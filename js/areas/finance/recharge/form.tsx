/** The forms of a recharge: the application and its approval. A lazy chunk. */
import { useState } from "react";
import * as z from "zod/mini";

import type { RechargeRow, SelectOption } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { payMethodCodes } from "../../../lib/codes";
import { money } from "../../../lib/format";
import type { Translate } from "../../../lib/i18n";
import { decisionLimits, incomingPaymentLimits, rechargeLimits } from "../../../lib/limits";
import { unmergeable } from "../../../ui/conflict";
import { Description } from "../../../ui/description";
import { labelOf } from "../../../ui/field";
import type { Form } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import type { Overlay } from "../../../ui/overlay";
import { anotherPaymentField, anotherPaymentRule, answerOf, questionOf } from "../../../ui/another-payment";
import { newOrg, newPayee } from "../../org/share";
import { type RechargeChoices, rechargeFields } from "./fields";

const SERIAL = /^[A-Za-z\d-]+$/;

interface RechargeDialog {
  overlay: Overlay<RechargeRow>;
  t: Translate;
  choices: RechargeChoices;
}

function rechargeForm(t: Translate, { orgs, payees, byStaff }: RechargeChoices) {
  const rule = rules(t);
  const schema = z
    .object({
      orgId: rule.id(),
      payeeOrgId: rule.id(),
      amountCents: rule.money(rechargeLimits.mostCents),
      giftCents: rule.money(rechargeLimits.mostCents),
      payMethod: rule.oneOf(payMethodCodes),
      bankSerial: rule.optional(incomingPaymentLimits.number, SERIAL),
      proofFileIds: rule.ids(),
      remark: rule.note(rechargeLimits.remark),
    })
    .check(
      z.refine(({ amountCents }) => amountCents > 0, { path: ["amountCents"], error: t("recharge.amountNeeded") }),
      z.refine(({ payMethod, bankSerial }) => payMethod !== "bank" || bankSerial !== null, {
        path: ["bankSerial"],
        error: t("recharge.serialNeeded"),
      }),
    );
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      {
        name: "orgId",
        label: "recharge.orgName",
        kind: "select",
        required: true,
        empty: "recharge.choose",
        search: "/org/options",
        choices: orgs,
        create: newOrg,
      },
      {
        name: "payeeOrgId",
        label: "recharge.payeeOrgName",
        kind: "select",
        required: true,
        empty: "recharge.choose",
        choices: payees,
        create: newPayee,
      },
      { name: "amountCents", label: "recharge.amountInput", kind: "money", required: true },
      { name: "giftCents", label: "recharge.giftInput", kind: "money", hint: "recharge.giftHint", when: () => byStaff },
      {
        name: "payMethod",
        label: "recharge.payMethod",
        kind: "select",
        required: true,
        choices: payMethodCodes.map((value) => ({ value, label: labelOf(t, "PayMethod", value) })),
      },
      { name: "bankSerial", label: "recharge.bankSerial", kind: "text" },
      {
        name: "proofFileIds",
        label: "recharge.proofFiles",
        kind: "files",
        bizType: "recharge_proof",
        max: rechargeLimits.mostProofs,
        stored: [],
        wide: true,
        hint: "recharge.proofsHint",
      },
      { name: "remark", label: "recharge.remark", kind: "area", wide: true },
    ],
  };
  return form;
}

/** The dialog of a new recharge; it closes with the recharge as it was saved. */
export function rechargeDialog({ overlay, t, choices }: RechargeDialog) {
  return (
    <FormDialog
      overlay={overlay}
      title={t("recharge.create")}
      draft="recharge"
      reviewers="/finance/recharge/reviewers"
      submit={t("recharge.submit")}
      form={rechargeForm(t, choices)}
      record={{
        orgId: onlyOne(choices.orgs),
        payeeOrgId: onlyOne(choices.payees),
        amountCents: null,
        giftCents: null,
        payMethod: "bank",
        bankSerial: null,
        proofFileIds: [],
        remark: "",
      }}
      save={(values) => api.post<RechargeRow>("/finance/recharge", values)}
    />
  );
}

/** The value that is chosen beforehand, if there is only one. */
const onlyOne = ([first, ...others]: readonly SelectOption[]) => (first && others.length === 0 ? first.value : null);

interface ApprovalDialog {
  overlay: Overlay<RechargeRow>;
  t: Translate;
  row: RechargeRow;
  /** Confirmed receipts that may have credited the amount already. */
  receipts: readonly SelectOption[];
}

/** The dialog that approves a recharge; it closes with the recharge as it was decided on. */
export function approvalDialog(dialog: ApprovalDialog) {
  return <Approval {...dialog} />;
}

/** What the reviewer compares the payment with. */
const PAYMENT: readonly string[] = ["payMethod", "bankSerial", "payeeOrgName", "proofFiles", "remark"];
const paymentFields = rechargeFields.filter(({ key }) => PAYMENT.includes(key));

function Approval({ overlay, t, row, receipts }: ApprovalDialog) {
  const { id, version, no, orgName, amountCents, giftCents } = row;
  const rule = rules(t);
  /** The server asks whether it is a different payment from others of the same amount. */
  const [isAsked, setIsAsked] = useState(false);
  const amounts = { org: orgName, amount: money(amountCents), gift: money(giftCents) };
  return (
    <FormDialog
      overlay={overlay}
      title={t("recharge.approveTitle", { no })}
      draft={`recharge.approve ${id} ${version}`}
      note={t(giftCents > 0 ? "recharge.approveGiftText" : "recharge.approveText", amounts)}
      lead={<Description filled fields={paymentFields} row={row} />}
      submit={t("recharge.approve")}
      form={{
        schema: z.object({
          receiptId: receipts.length > 0 ? rule.id() : rule.optionalId(),
          anotherPayment: anotherPaymentRule(t),
          note: rule.note(decisionLimits.reason),
        }),
        fields: [
          {
            name: "receiptId",
            label: "recharge.receiptNo",
            kind: "select",
            required: true,
            empty: "recharge.choose",
            wide: true,
            choices: [...receipts, { value: 0, label: t("recharge.noReceipt") }],
            hint: "recharge.receiptHint",
            when: () => receipts.length > 0,
          },
          { ...anotherPaymentField(t), when: () => isAsked },
          { name: "note", label: "recharge.reviewNote", kind: "area", wide: true },
        ],
      }}
      record={{ receiptId: null, anotherPayment: [], note: "" }}
      save={async ({ receiptId, anotherPayment, note }) => {
        try {
          const decision = { id, version, approve: true, receiptId, note: note || null, ...answerOf(anotherPayment) };
          return await api.put<RechargeRow>("/finance/recharge/audit", decision);
        } catch (error) {
          if (questionOf(error) !== undefined) setIsAsked(true);
          // The decision is about the recharge as it was read: when it has changed, there is nothing to merge.
          throw unmergeable(error);
        }
      }}
    />
  );
}
