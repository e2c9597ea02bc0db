/** The form of an agreement. A lazy chunk. */
import * as z from "zod/mini";

import { api } from "../../../lib/api";
import type { AgreementDetail } from "../../../lib/api-types";
import { momentInput } from "../../../lib/format";
import type { Translate } from "../../../lib/i18n";
import { agreementLimits } from "../../../lib/limits";
import type { Form } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import type { Overlay } from "../../../ui/overlay";

function agreementForm(t: Translate, row: AgreementDetail | undefined) {
  const rule = rules(t);
  const used = row !== undefined && row.consents > 0;
  const missing = row?.textKept === false;
  const schema = z.object({
    code: rule.text(agreementLimits.code),
    edition: rule.text(agreementLimits.code),
    name: rule.text(agreementLimits.name),
    validFrom: rule.optionalMoment(),
    validTo: rule.optionalMoment(),
    text: missing ? rule.note(agreementLimits.text) : rule.text(agreementLimits.text),
  });
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      {
        name: "code",
        label: "agreement.code",
        kind: "text",
        required: true,
        fixed: used,
        hint: used ? "agreement.fixed" : "agreement.codeHint",
      },
      {
        name: "edition",
        label: "agreement.edition",
        kind: "text",
        required: true,
        fixed: used,
        hint: used ? undefined : "agreement.editionHint",
      },
      { name: "name", label: "agreement.name", kind: "text", required: true, wide: true },
      { name: "validFrom", label: "agreement.validFrom", kind: "moment", fixed: used, hint: row ? undefined : "agreement.validFromHint" },
      { name: "validTo", label: "agreement.validTo", kind: "moment", hint: "agreement.validToHint" },
      {
        name: "text",
        label: "agreement.text",
        kind: "area",
        wide: true,
        required: !missing,
        fixed: used && !missing,
        hint: missing ? "agreement.textMissing" : "agreement.textHint",
      },
    ],
  };
  return form;
}

/** The moment before, if the input still shows its minute: an input has no seconds, the record has them. */
function kept(typed: number | null, before: number | null): number | null {
  return momentInput(typed) === momentInput(before) ? before : typed;
}

interface AgreementDialog {
  overlay: Overlay<AgreementDetail>;
  t: Translate;
  /** The agreement to be edited; a new one without it. */
  row: AgreementDetail | undefined;
}

const blank = { code: "", edition: "", name: "", text: "", validFrom: null, validTo: null };

/** The dialog of an agreement; it closes with it as it was saved. */
export function agreementDialog({ overlay, t, row }: AgreementDialog) {
  return (
    <FormDialog<FormValues, AgreementDetail | typeof blank, AgreementDetail>
      overlay={overlay}
      title={t(row ? "agreement.edit" : "agreement.create")}
      draft="agreement"
      form={agreementForm(t, row)}
      record={row ?? blank}
      save={(values, record) => {
        if (!("id" in record)) return api.post<AgreementDetail>("/agreement", values);
        const [validFrom, validTo] = [kept(values.validFrom, record.validFrom), kept(values.validTo, record.validTo)];
        return api.put<AgreementDetail>("/agreement", { ...values, validFrom, validTo, id: record.id, version: record.version });
      }}
    />
  );
}

type FormValues = ReturnType<typeof agreementForm> extends Form<infer Values> ? Values : never;
