/** The dialog that approves a refund. A lazy chunk. */
import * as z from "zod/mini";

import type { PaymentRefundRow } from "../../lib/api-types";
import { api } from "../../lib/api";
import { money } from "../../lib/format";
import type { Translate } from "../../lib/i18n";
import { unmergeable } from "../../ui/conflict";
import { labelOf } from "../../ui/field";
import { FormDialog } from "../../ui/form-dialog";
import { rules } from "../../ui/form-rules";
import type { Overlay } from "../../ui/overlay";
import { isOnline } from "./channel-fields";

const LONGEST_NOTE = 200;

interface ApprovalDialog {
  overlay: Overlay<PaymentRefundRow>;
  t: Translate;
  row: PaymentRefundRow;
}

/** It closes with the refund as it was decided on. */
export function approvalDialog({ overlay, t, row }: ApprovalDialog) {
  const { id, version, no, paymentOrderNo: order, orgName: org, amountCents, provider } = row;
  const params = { order, org, amount: money(amountCents), provider: labelOf(t, "PayProvider", provider) };
  return (
    <FormDialog
      overlay={overlay}
      title={t("paymentRefund.approveTitle", { no })}
      note={t(isOnline(provider) ? "paymentRefund.approveText" : "paymentRefund.approveByHandText", params)}
      submit={t("paymentRefund.approve")}
      form={{
        schema: z.object({ note: rules(t).note(LONGEST_NOTE) }),
        fields: [{ name: "note", label: "paymentRefund.reviewNote", kind: "area", wide: true }],
      }}
      record={{ note: "" }}
      save={async ({ note }) => {
        try {
          return await api.put<PaymentRefundRow>("/payRefund/audit", { id, version, approve: true, note: note || null });
        } catch (error) {
          // The decision is about the refund as it was read: when it has changed, there is nothing to merge.
          throw unmergeable(error);
        }
      }}
    />
  );
}
