/** The requested terms of a plan, beside those in force. */
import type { PlanNow, PlanTerms, SelectOption } from "../../../lib/api-types";
import { useT } from "../../../lib/i18n";
import { Description } from "../../../ui/description";
import { type Field, fieldText } from "../../../ui/field";
import { termFields, withChannelNames } from "./fields";

interface RequestedTermsProps {
  row: PlanNow;
  change: PlanTerms;
  channels: readonly SelectOption[];
  /** The fields of terms; a page that the server renders passes them with their words. */
  shown?: readonly Field<PlanNow>[];
}

/** The requested terms that differ from those in force. */
export function RequestedTerms({ row, change, channels, shown = termFields }: RequestedTermsProps) {
  const t = useT();
  const requested: PlanNow = {
    ...row,
    ...change,
    subOrgName: row.changeNames?.subOrgName ?? null,
    productName: row.changeNames?.productName ?? null,
  };
  const differing = shown.filter((field) => fieldText(field, requested[field.key], t) !== fieldText(field, row[field.key], t));
  return (
    <>
      <h2 className="ll-details-title">{t("plan.change")}</h2>
      <Description fields={withChannelNames(differing, channels)} row={requested} previous={row} />
    </>
  );
}
