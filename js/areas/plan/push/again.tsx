/** The dialogs that cancel pushes and push one again, with edited data if need be. A lazy chunk. */
import * as z from "zod/mini";

import type { PushRow, RepeatTerms } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { withLastParts } from "../../../lib/field-names";
import { money } from "../../../lib/format";
import type { Translate } from "../../../lib/i18n";
import { decisionLimits } from "../../../lib/limits";
import { unmergeable } from "../../../ui/conflict";
import type { Form } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import type { Overlay } from "../../../ui/overlay";
import { saidForm, saidInputs, saidSent } from "../../../ui/said-form";

interface CancelDialog {
  overlay: Overlay<boolean>;
  t: Translate;
  rows: readonly PushRow[];
}

/** The dialog that cancels one push or several, for one reason. */
export function cancelDialog({ overlay, t, rows }: CancelDialog) {
  const schema = z.object({ note: rules(t).text(decisionLimits.reason) });
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [{ name: "note", label: "push.cancelReason", kind: "area", required: true, wide: true, hint: "push.cancelReasonHint" }],
  };
  const [first] = rows;
  const one = rows.length === 1 && first;
  return (
    <FormDialog
      overlay={overlay}
      title={one ? t("push.cancelTitle", { no: one.no }) : t("push.cancelManyTitle", { count: rows.length })}
      note={one ? t("push.cancelText", { org: one.orgName }) : t("push.cancelManyText")}
      submit={t("push.cancel")}
      draft={`push.cancel ${one ? one.id : "many"}`}
      form={form}
      record={{ note: "" }}
      save={async ({ note }) => {
        try {
          for (const { id, status } of rows) await api.put("/plan/push/cancel", { id, status, note });
          return true;
        } catch (error) {
          // The push is being sent or has ended: there is nothing to merge.
          throw unmergeable(error);
        }
      }}
    />
  );
}

interface RepeatDialog {
  overlay: Overlay<PushRow>;
  t: Translate;
  row: PushRow;
  terms: RepeatTerms;
}

/** The dialog that pushes a lead again: to which buyer, at what price, and with which data. */
export function repeatDialog({ overlay, t, row: { id, no, status }, terms }: RepeatDialog) {
  const { orgName, planName, priceCents, nameMask, province, applicant } = terms;
  return (
    <FormDialog
      overlay={overlay}
      title={t("push.repeatTitle", { org: orgName })}
      draft={`push.repeat ${id}`}
      note={t("push.repeatText", { no, org: orgName, plan: planName, price: money(priceCents) })}
      isReadFirst
      submit={t("push.repeat")}
      {...saidForm(t, nameMask)}
      record={{ province, applicant }}
      valuesOf={saidInputs}
      save={async (values) => {
        try {
          return await api.post<PushRow>("/plan/push/again", { id, status, edited: saidSent(values) });
        } catch (error) {
          throw unmergeable(withLastParts(error));
        }
      }}
    />
  );
}
