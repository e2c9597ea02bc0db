/** The forms that end the distribution of an applicant: marked invalid, or the consent withdrawn. A lazy chunk. */
import * as z from "zod/mini";

import type { UserRow } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { invalidReasonCodes } from "../../../lib/codes";
import type { Translate } from "../../../lib/i18n";
import { decisionLimits } from "../../../lib/limits";
import { unmergeable } from "../../../ui/conflict";
import type { Form } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import type { Overlay } from "../../../ui/overlay";

interface StopDialog {
  overlay: Overlay<UserRow>;
  t: Translate;
  row: UserRow;
}

/** The dialog that marks an applicant invalid; it closes with the applicant as marked. */
export function invalidDialog({ overlay, t, row: { id, version, no } }: StopDialog) {
  const rule = rules(t);
  const schema = z
    .object({ reason: rule.oneOf(invalidReasonCodes), note: rule.note(decisionLimits.reason) })
    .check(z.refine(({ reason, note }) => reason !== "other" || note !== "", { path: ["note"], error: t("ui.rule.required") }));
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      {
        name: "reason",
        label: "user.invalidReason",
        kind: "select",
        required: true,
        empty: "return.choose",
        wide: true,
        choices: invalidReasonCodes.map((value) => ({ value, label: t(`InvalidReason.${value}`) })),
      },
      { name: "note", label: "user.invalidNote", kind: "area", wide: true, hint: "user.noteHint" },
    ],
  };
  return (
    <FormDialog
      overlay={overlay}
      title={t("user.invalidTitle", { no })}
      draft={`user.invalid ${id}`}
      note={t("user.invalidText")}
      submit={t("user.markInvalid")}
      form={form}
      record={{ reason: null, note: "" }}
      save={async (values) => {
        try {
          return await api.put<UserRow>("/user/invalid", { id, version, ...values });
        } catch (error) {
          throw unmergeable(error);
        }
      }}
    />
  );
}

const scopes = ["one", "every"] as const;

/** The dialog that withdraws the consent of an applicant; it closes with the applicant as they are then. */
export function consentDialog({ overlay, t, row: { id, version, no } }: StopDialog) {
  const rule = rules(t);
  const schema = z.object({ applications: rule.oneOf(scopes), note: rule.text(decisionLimits.reason) });
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      {
        name: "applications",
        label: "user.withdrawFrom",
        kind: "select",
        required: true,
        wide: true,
        choices: scopes.map((value) => ({ value, label: t(`user.withdrawFrom.${value}`) })),
      },
      { name: "note", label: "user.withdrawNote", kind: "area", required: true, wide: true, hint: "user.noteHint" },
    ],
  };
  return (
    <FormDialog
      overlay={overlay}
      title={t("user.withdrawTitle", { no })}
      draft={`user.withdraw ${id}`}
      note={t("user.withdrawText")}
      submit={t("user.withdrawConsent")}
      form={form}
      record={{ applications: "every", note: "" }}
      save={async ({ applications, note }) => {
        try {
          return await api.put<UserRow>("/user/consent/withdraw", { id, version, everyApplication: applications === "every", note });
        } catch (error) {
          throw unmergeable(error);
        }
      }}
    />
  );
}
