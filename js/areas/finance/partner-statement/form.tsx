/** The forms of a statement of a channel: which month of which channel, and how it is corrected. A lazy chunk. */
import * as z from "zod/mini";

import type { PartnerAdjustmentRow, PartnerStatementRow, SelectOption } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { money } from "../../../lib/format";
import type { Translate } from "../../../lib/i18n";
import { partnerAdjustmentLimits, partnerConfirmationLimits } from "../../../lib/limits";
import { unmergeable } from "../../../ui/conflict";
import { labelOf } from "../../../ui/field";
import type { Form } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import type { Overlay } from "../../../ui/overlay";
import { newChannel } from "../../channel/share";

const directions = ["increase", "decrease"] as const;

interface StatementDialog {
  overlay: Overlay<PartnerStatementRow>;
  t: Translate;
  channels: readonly SelectOption[];
}

/** The dialog of a new statement; it closes with the statement as it was made. */
export function statementDialog({ overlay, t, channels }: StatementDialog) {
  const rule = rules(t);
  const schema = z.object({ channelId: rule.id(), month: rule.text(7) });
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      {
        name: "channelId",
        label: "partnerStatement.channelName",
        kind: "select",
        required: true,
        empty: "adjustment.choose",
        search: "/channel/options",
        choices: channels,
        create: newChannel,
      },
      { name: "month", label: "partnerStatement.month", kind: "text", required: true, hint: "statement.monthHint" },
    ],
  };
  return (
    <FormDialog
      overlay={overlay}
      title={t("partner.make")}
      note={t("partner.makeNote")}
      submit={t("partner.make")}
      draft="partnerStatement"
      form={form}
      record={{ channelId: null, month: "" }}
      save={(values) => api.post<PartnerStatementRow>("/partner/statement", values)}
    />
  );
}

interface ConfirmationDialog {
  overlay: Overlay<PartnerStatementRow>;
  t: Translate;
  /** The statement that is to be confirmed. */
  row: PartnerStatementRow;
}

/** The dialog that asks to confirm a statement by other means than its link; it closes with the statement as it is then. */
export function confirmationDialog({ overlay, t, row: { id, version, channelName, month, netCents } }: ConfirmationDialog) {
  const rule = rules(t);
  const schema = z
    .object({ reason: rule.text(partnerConfirmationLimits.reason), proofFileIds: rule.ids() })
    .check(z.refine(({ proofFileIds }) => proofFileIds.length > 0, { path: ["proofFileIds"], error: t("partner.proofNeeded") }));
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      { name: "reason", label: "partner.confirmReason", kind: "area", required: true, wide: true, hint: "partner.confirmReasonHint" },
      {
        name: "proofFileIds",
        label: "partnerStatement.proofFiles",
        kind: "files",
        bizType: "partner_confirmation_proof",
        max: partnerConfirmationLimits.mostProofs,
        stored: [],
        wide: true,
        required: true,
        hint: "adjustment.proofsHint",
      },
    ],
  };
  return (
    <FormDialog
      overlay={overlay}
      title={t("partner.askConfirmTitle", { channel: channelName, month })}
      draft={`partner.confirm ${id} ${version}`}
      note={t("partner.askConfirmNote", { net: money(netCents) })}
      submit={t("partner.askConfirm")}
      form={form}
      record={{ reason: "", proofFileIds: [] }}
      save={async (values) => {
        try {
          return await api.put<PartnerStatementRow>("/partner/statement/confirm", { ...values, id, version });
        } catch (error) {
          // The request is about the statement as it was read: when it has changed, there is nothing to merge.
          throw unmergeable(error);
        }
      }}
    />
  );
}

interface CorrectionDialog {
  overlay: Overlay<PartnerAdjustmentRow>;
  t: Translate;
  /** The statement that is corrected. */
  row: PartnerStatementRow;
}

/** The dialog of a correction; it closes with the correction as it was asked for. */
export function correctionDialog({ overlay, t, row: { id, channelName, month, status } }: CorrectionDialog) {
  const rule = rules(t);
  const schema = z
    .object({
      direction: rule.oneOf(directions),
      amountCents: rule.money(partnerAdjustmentLimits.mostCents),
      reason: rule.text(partnerAdjustmentLimits.reason),
    })
    .check(z.refine(({ amountCents }) => amountCents > 0, { path: ["amountCents"], error: t("adjustment.amountNeeded") }));
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      {
        // Nothing is chosen beforehand: the wrong direction would double the error.
        name: "direction",
        label: "adjustment.direction",
        kind: "select",
        required: true,
        empty: "adjustment.choose",
        choices: directions.map((value) => ({ value, label: labelOf(t, "adjustment.direction", value) })),
      },
      { name: "amountCents", label: "adjustment.amountInput", kind: "money", required: true },
      { name: "reason", label: "partnerAdjustment.reason", kind: "area", required: true, wide: true },
    ],
  };
  return (
    <FormDialog
      overlay={overlay}
      title={t("partner.adjustTitle", { channel: channelName, month })}
      draft={`partner.adjust ${id}`}
      note={t(status === "confirmed" ? "partner.adjustNextNote" : "partner.adjustNote")}
      submit={t("adjustment.ask")}
      form={form}
      record={{ direction: null, amountCents: null, reason: "" }}
      save={({ direction, amountCents, reason }) =>
        api.post<PartnerAdjustmentRow>("/partner/adjust", {
          statementId: id,
          amountCents: direction === "decrease" ? -amountCents : amountCents,
          reason,
        })
      }
    />
  );
}
