/** The form in which people of an organisation change its plan within the agreed bounds. A lazy chunk. */
import * as z from "zod/mini";

import type { PlanNow, PlanRow } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import type { Translate } from "../../../lib/i18n";
import { planLimits, priceLimits } from "../../../lib/limits";
import type { Form } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import { termsField, termsRules } from "../../../ui/form-terms";
import type { Overlay } from "../../../ui/overlay";
import { citiesRule } from "../../../ui/place-rules";
import { citiesField } from "../../../ui/place-select";
import { boundsText } from "./bounds";

interface AdjustDialog {
  overlay: Overlay<PlanRow>;
  t: Translate;
  row: PlanNow;
  /** Terms to begin with, instead of the plan's. */
  terms?: object | undefined;
}

/** The dialog of what may be changed; it closes with the plan as it was saved. */
export function adjustDialog({ overlay, t, row, terms: begun }: AdjustDialog) {
  const terms = termsRules(t);
  const schema = z.object({
    priceCents: rules(t).money(priceLimits.mostCents),
    caps: terms.caps(),
    schedule: terms.schedule(),
    cities: citiesRule(t, planLimits.mostCities),
  });
  // What may not be changed is not shown, and sent as it is.
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      {
        name: "priceCents",
        label: "plan.priceInput",
        kind: "money",
        required: true,
        hint: "plan.priceHint",
        when: () => row.ownPriceMostCents !== null,
      },
      { name: "caps", label: "plan.caps", ...termsField.caps, wide: true, hint: "plan.capsHint", when: () => row.ownDayMost !== null },
      { name: "schedule", label: "plan.schedule", ...termsField.schedule, wide: true, when: () => row.ownHours },
      citiesField(t, { name: "cities", label: "plan.cities", wide: true, hint: "plan.citiesHint", when: () => row.ownCities }),
    ],
  };
  return (
    <FormDialog
      overlay={overlay}
      title={t("plan.adjustTitle", { name: row.name })}
      draft="plan.adjust"
      note={t("plan.adjustNote", { bounds: boundsText(row, t) })}
      form={form}
      record={row as PlanRow}
      valuesOf={(record) => ({ ...record, ...begun })}
      save={(values, { id, version }) => api.put<PlanRow>("/plan/own", { ...values, id, version })}
    />
  );
}
