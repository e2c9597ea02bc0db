/** The form of an adjustment: what of an account is changed, by how much, and why. A lazy chunk. */
import * as z from "zod/mini";

import type { AccountRow, AdjustmentRow } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { accountPartCodes } from "../../../lib/codes";
import type { Translate } from "../../../lib/i18n";
import { adjustmentLimits } from "../../../lib/limits";
import { labelOf } from "../../../ui/field";
import type { Form } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import type { Overlay } from "../../../ui/overlay";

const directions = ["increase", "decrease"] as const;

interface AdjustmentDialog {
  overlay: Overlay<AdjustmentRow>;
  t: Translate;
  /** The account that is adjusted. */
  row: AccountRow;
}

function adjustmentForm(t: Translate) {
  const rule = rules(t);
  const codes = (labels: string, all: readonly string[]) => all.map((value) => ({ value, label: labelOf(t, labels, value) }));
  const schema = z
    .object({
      part: rule.oneOf(accountPartCodes),
      direction: rule.oneOf(directions),
      amountCents: rule.money(adjustmentLimits.mostCents),
      reason: rule.text(adjustmentLimits.reason),
      proofFileIds: rule.ids(),
    })
    .check(z.refine(({ amountCents }) => amountCents > 0, { path: ["amountCents"], error: t("adjustment.amountNeeded") }));
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      { name: "part", label: "adjustment.part", kind: "select", required: true, choices: codes("AccountPart", accountPartCodes) },
      {
        // Nothing is chosen beforehand: the wrong direction would double the error.
        name: "direction",
        label: "adjustment.direction",
        kind: "select",
        required: true,
        empty: "adjustment.choose",
        choices: codes("adjustment.direction", directions),
      },
      { name: "amountCents", label: "adjustment.amountInput", kind: "money", required: true },
      { name: "reason", label: "adjustment.reason", kind: "area", required: true, wide: true },
      {
        name: "proofFileIds",
        label: "adjustment.proofFiles",
        kind: "files",
        bizType: "adjustment_proof",
        max: adjustmentLimits.mostProofs,
        stored: [],
        wide: true,
        hint: "adjustment.proofsHint",
      },
    ],
  };
  return form;
}

/** The dialog of a new adjustment; it closes with the adjustment as it was asked for. */
export function adjustmentDialog({ overlay, t, row: { id, orgName } }: AdjustmentDialog) {
  return (
    <FormDialog
      overlay={overlay}
      title={t("adjustment.askTitle", { org: orgName })}
      draft={`adjustment of ${id}`}
      note={t("adjustment.askNote")}
      reviewers="/finance/account/adjust/reviewers"
      submit={t("adjustment.ask")}
      form={adjustmentForm(t)}
      record={{ part: "paid", direction: null, amountCents: null, reason: "", proofFileIds: [] }}
      save={({ direction, amountCents, ...values }) =>
        api.post<AdjustmentRow>("/finance/account/adjust", {
          ...values,
          orgId: id,
          amountCents: direction === "decrease" ? -amountCents : amountCents,
        })
      }
    />
  );
}
