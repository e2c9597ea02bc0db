/** The dialogs that cancel pushes and push one again, with edited data if need be. A lazy chunk. */
import * as z from "zod/mini";

import type { PushRow, RepeatTerms, SaidForm } from "../../lib/api-types";
import { api } from "../../lib/api";
import { applicantParts, fieldsOfPart } from "../../lib/applicant";
import { withLastParts } from "../../lib/field-names";
import { money } from "../../lib/format";
import type { Translate } from "../../lib/i18n";
import { applicantInputs } from "../../ui/applicant-inputs";
import { unmergeable } from "../../ui/conflict";
import type { Form, FormField, FormSection } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { rules } from "../../ui/form-rules";
import type { Overlay } from "../../ui/overlay";

const LONGEST_NOTE = 200;
const LONGEST_NAME = 32;

interface CancelDialog {
  overlay: Overlay<boolean>;
  t: Translate;
  rows: readonly PushRow[];
}

/** The dialog that cancels one push or several, for one reason. */
export function cancelDialog({ overlay, t, rows }: CancelDialog) {
  const schema = z.object({ note: rules(t).text(LONGEST_NOTE) });
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
      form={form}
      record={{ note: "" }}
      save={async ({ note }) => {
        try {
          for (const { id, status } of rows) await api.put("/plan/push/cancel", { id, status, note });
          return true;
        } catch (error) {
          // It is being sent, or has ended: there is nothing to merge.
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

/** What the form sends; the applicant's answers come besides, under the names of their fields. */
interface Repeated {
  name: string | null;
  province: string;
}

/** The dialog that pushes a lead again: to which buyer, at what price, and with which data. */
export function repeatDialog({ overlay, t, row: { id, no, status }, terms }: RepeatDialog) {
  const { orgName, planName, priceCents, nameMask, province, applicant } = terms;
  return (
    <FormDialog
      overlay={overlay}
      title={t("push.repeatTitle", { org: orgName })}
      note={t("push.repeatText", { no, org: orgName, plan: planName, price: money(priceCents) })}
      isReadFirst
      submit={t("push.repeat")}
      {...repeatForm(t, nameMask)}
      record={{ name: null, province, ...Object.fromEntries(Object.entries(applicant).map(([name, value]) => [name, typeof value === "boolean" ? String(value) : value])) }}
      save={async ({ name, province: edited, ...said }) => {
        const data: SaidForm = { ...(name !== null && { name }), province: edited, applicant: said };
        try {
          return await api.post<PushRow>("/plan/push/again", { id, status, edited: data });
        } catch (error) {
          throw unmergeable(withLastParts(error));
        }
      }}
    />
  );
}

function repeatForm(t: Translate, nameMask: string): { form: Form<Repeated>; sections: readonly FormSection[] } {
  const rule = rules(t);
  const said = applicantParts.map(({ title }) => ({ title, ...applicantInputs(t, fieldsOfPart(title)) }));
  const schema = z.object({
    name: rule.optional(LONGEST_NAME),
    province: rule.note(LONGEST_NAME),
    ...(Object.assign({}, ...said.map(({ schemas }) => schemas)) as (typeof said)[number]["schemas"]),
  });
  const who: readonly FormField[] = [
    { name: "name", label: "push.repeatName", kind: "text", placeholder: t("push.repeatNameHint", { name: nameMask }) },
    { name: "province", label: "user.province", kind: "text" },
  ];
  const sections = said.map(({ title, inputs }, index): FormSection => ({ title, fields: index === 0 ? [...who, ...inputs] : inputs }));
  return { form: { schema, fields: sections.flatMap(({ fields }) => fields) }, sections };
}
