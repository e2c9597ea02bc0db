/** The dialog that approves a refund. A lazy chunk. */
import { useState } from "react";
import * as z from "zod/mini";

import type { PaymentRefundRow } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { money } from "../../../lib/format";
import type { Translate } from "../../../lib/i18n";
import { decisionLimits, outgoingPaymentLimits } from "../../../lib/limits";
import { unmergeable } from "../../../ui/conflict";
import { labelOf } from "../../../ui/field";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import type { Overlay } from "../../../ui/overlay";
import { anotherPaymentField, anotherPaymentRule, answerOf, questionOf } from "../../../ui/another-payment";
import { isOnline } from "../channel/fields";

const SERIAL = /^[A-Za-z\d-]+$/;

interface ApprovalDialog {
  overlay: Overlay<PaymentRefundRow>;
  t: Translate;
  row: PaymentRefundRow;
}

/** It closes with the refund as it was decided on. */
export function approvalDialog(dialog: ApprovalDialog) {
  return <Approval {...dialog} />;
}

function Approval({ overlay, t, row }: ApprovalDialog) {
  const rule = rules(t);
  /** The server asks whether it is a different payment from others of the same amount. */
  const [isAsked, setIsAsked] = useState(false);
  const { id, version, no, paymentOrderNo: order, orgName: org, amountCents, provider } = row;
  const isByHand = !isOnline(provider);
  const isByBank = provider === "bank";
  const params = { order, org, amount: money(amountCents), provider: labelOf(t, "PayProvider", provider) };
  return (
    <FormDialog
      overlay={overlay}
      title={t("paymentRefund.approveTitle", { no })}
      draft={`paymentRefund.approve ${id} ${version}`}
      note={t(isByHand ? "paymentRefund.approveByHandText" : "paymentRefund.approveText", params)}
      submit={t("paymentRefund.approve")}
      form={{
        schema: z
          .object({
            channelRefundNo: rule.optional(outgoingPaymentLimits.number, SERIAL),
            anotherPayment: anotherPaymentRule(t),
            note: rule.note(decisionLimits.reason),
          })
          .check(
            z.refine(({ channelRefundNo }) => !isByBank || channelRefundNo !== null, {
              path: ["channelRefundNo"],
              error: t("paymentRefund.serialNeeded"),
            }),
          ),
        fields: [
          {
            name: "channelRefundNo",
            label: "paymentRefund.channelRefundNo",
            kind: "text",
            required: isByBank,
            wide: true,
            hint: "paymentRefund.serialHint",
            when: () => isByHand,
          },
          { ...anotherPaymentField(t), when: () => isAsked },
          { name: "note", label: "paymentRefund.reviewNote", kind: "area", wide: true },
        ],
      }}
      record={{ channelRefundNo: null, anotherPayment: [], note: "" }}
      save={async ({ channelRefundNo, anotherPayment, note }) => {
        try {
          const decision = { id, version, approve: true, channelRefundNo, note: note || null, ...answerOf(anotherPayment) };
          return await api.put<PaymentRefundRow>("/payRefund/audit", decision);
        } catch (error) {
          if (questionOf(error) !== undefined) setIsAsked(true);
          // The decision is about the refund as it was read: when it has changed, there is nothing to merge.
          throw unmergeable(error);
        }
      }}
    />
  );
}
