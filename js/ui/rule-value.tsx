/** The input for the value of a condition, by the field's kind and the comparison. */
import type { RuleOp, RuleValue } from "../lib/api-types";
import { useLocale, useT } from "../lib/i18n";
import { type ApplicantField, offeredChoices, sentence, word } from "../lib/terms-table";
import { NumberInput } from "./number-input";
import { PlaceSelect } from "./place-select";

interface RuleValueInputProps {
  field: ApplicantField;
  op: RuleOp;
  value: RuleValue;
  /** The accessible name of a part of the condition. */
  name: (what: string) => string;
  fixed: boolean | undefined;
  onChange: (value: RuleValue) => void;
}

export function RuleValueInput(props: RuleValueInputProps) {
  const { field, op } = props;
  if (op === "exists" || field.kind === "flag") return <Presence {...props} />;
  if (field.kind === "number") return <Numbers {...props} />;
  if (field.kind === "city") return <Cities {...props} />;
  return op === "eq" ? <OneChoice {...props} /> : <Choices {...props} />;
}

/** Presence or absence, in the words of the field. */
function Presence({ field, value, name, fixed, onChange }: RuleValueInputProps) {
  const t = useT();
  const locale = useLocale();
  const places = { field: field.title[locale] };
  return (
    <select
      className="ll-input"
      aria-label={name(t("terms.value"))}
      value={String(value)}
      disabled={fixed}
      onChange={({ target }) => onChange(target.value === "true")}
    >
      <option value="true">{sentence(field.yes?.[locale] ?? word("exists", locale, places))}</option>
      <option value="false">{sentence(field.no?.[locale] ?? word("missing", locale, places))}</option>
    </select>
  );
}

function Numbers({ field, op, value, name, fixed, onChange }: RuleValueInputProps) {
  const t = useT();
  const locale = useLocale();
  const shared = { unit: field.unit?.[locale], money: field.money, fixed };
  if (op !== "between") {
    return <NumberInput {...shared} label={name(t("terms.value"))} value={value} onChange={(next) => onChange(next as RuleValue)} />;
  }
  const [from = null, to = null] = Array.isArray(value) ? (value as unknown[]) : [];
  const ends = (next: unknown[]) => onChange(next as RuleValue);
  return (
    <span className="ll-rule-between">
      <NumberInput {...shared} label={name(t("terms.from"))} value={from} onChange={(next) => ends([next, to])} />
      <span aria-hidden="true">–</span>
      <NumberInput {...shared} label={name(t("terms.to"))} value={to} onChange={(next) => ends([from, next])} />
    </span>
  );
}

function OneChoice({ field, value, name, fixed, onChange }: RuleValueInputProps) {
  const t = useT();
  const locale = useLocale();
  return (
    <select
      className="ll-input"
      aria-label={name(t("terms.value"))}
      value={String(value)}
      disabled={fixed}
      onChange={({ target }) => onChange(target.value)}
    >
      <option value="">{t("ui.rule.choose")}</option>
      {offeredChoices(field, [value]).map(({ code, label }) => (
        <option key={code} value={code}>
          {sentence(label[locale])}
        </option>
      ))}
    </select>
  );
}

function Choices({ field, value, name, fixed, onChange }: RuleValueInputProps) {
  const t = useT();
  const locale = useLocale();
  const chosen = Array.isArray(value) ? value.map(String) : [];
  const offered = offeredChoices(field, chosen);
  const codes = offered.map(({ code }) => code);
  return (
    <span className="ll-boxes" role="group" aria-label={name(t("terms.value"))}>
      {offered.map(({ code, label }) => (
        <label key={code} className="ll-check">
          <input
            type="checkbox"
            checked={chosen.includes(code)}
            disabled={fixed}
            // In the order of the table, however they were ticked.
            onChange={({ target }) => onChange(codes.filter((one) => (one === code ? target.checked : chosen.includes(one))))}
          />
          {sentence(label[locale])}
        </label>
      ))}
    </span>
  );
}

/** Cities of the table: any number of them; of "equals" one. */
function Cities({ op, value, name, fixed, onChange }: RuleValueInputProps) {
  const t = useT();
  const chosen = [value].flat().map(String).filter(Boolean);
  const many = op !== "eq";
  return (
    <PlaceSelect
      label={name(t("terms.value"))}
      chosen={chosen}
      many={many}
      fixed={fixed}
      onChange={(next) => onChange(many ? next : (next[0] ?? ""))}
    />
  );
}
