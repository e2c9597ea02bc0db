/** The form of an object's targets for a month. A lazy chunk. */
import * as z from "zod/mini";

import type { AchievementMetric, AchievementRow, Page, TargetEntry, TargetObject, TargetsWritten } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { achievementMetricCodes } from "../../../lib/codes";
import type { MessageKey, Translate } from "../../../lib/i18n";
import { achievementTargetLimits } from "../../../lib/limits";
import { labelOf } from "../../../ui/field";
import type { Form } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import type { Overlay } from "../../../ui/overlay";
import { isMoney } from "./fields";

/** The field of each metric. */
const NAMES = { loan_amount: "loanAmount", fee_received: "feeReceived", signed: "signed", visits: "visits" } as const satisfies Record<
  AchievementMetric,
  string
>;

/** The initial values of the form: an object and a month, with the targets that are set. */
export interface TargetStart {
  month: string;
  /** `type:id`; null: one is chosen. */
  object: string | null;
  /** The name of the object. */
  name: string;
  loanAmount: number | null;
  feeReceived: number | null;
  signed: number | null;
  visits: number | null;
}

/** The targets that an object has in a month. */
export async function targetsOf({ month, objectType, objectId, objectName, orgName }: AchievementRow): Promise<TargetStart> {
  const { list } = await api.post<Page<AchievementRow>>("/crm/achievements/page", { month, objectType, objectId, pageSize: 4 });
  const target = (metric: AchievementMetric) => list.find((row) => row.metric === metric)?.target ?? null;
  return {
    month,
    object: `${objectType}:${objectId}`,
    name: objectType === "company" ? orgName : objectName,
    loanAmount: target("loan_amount"),
    feeReceived: target("fee_received"),
    signed: target("signed"),
    visits: target("visits"),
  };
}

interface TargetDialog {
  overlay: Overlay<TargetsWritten>;
  t: Translate;
  months: readonly string[];
  objects: readonly TargetObject[];
  start: TargetStart;
}

function targetForm(t: Translate, months: readonly string[], objects: readonly TargetObject[], start: TargetStart) {
  const rule = rules(t);
  const choices = objects.map(({ objectType, objectId, name }) => ({
    value: `${objectType}:${objectId}`,
    label: `${labelOf(t, "AchievementObject", objectType)} · ${name}`,
  }));
  const own = start.object;
  if (own && !choices.some(({ value }) => value === own)) choices.push({ value: own, label: start.name });
  const isFixed = own !== null;
  const schema = z.object({
    month: rule.oneOf(months),
    object: rule.oneOf(choices.map(({ value }) => value)),
    loanAmount: rule.optionalMoney(0, achievementTargetLimits.mostCents),
    feeReceived: rule.optionalMoney(0, achievementTargetLimits.mostCents),
    signed: rule.optionalInteger(0, achievementTargetLimits.mostClues),
    visits: rule.optionalInteger(0, achievementTargetLimits.mostClues),
  });
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      {
        name: "object",
        label: "achievement.object",
        kind: "select",
        required: true,
        fixed: isFixed,
        empty: "achievement.choose",
        choices,
        wide: true,
      },
      {
        name: "month",
        label: "achievement.month",
        kind: "select",
        required: true,
        fixed: isFixed,
        choices: months.map((month) => ({ value: month, label: month })),
        wide: true,
      },
      ...achievementMetricCodes.map((metric) => ({
        name: NAMES[metric],
        label: `achievement.${NAMES[metric]}` as MessageKey,
        kind: isMoney(metric) ? ("money" as const) : ("integer" as const),
        hint: isFixed ? ("achievement.noTarget" as const) : ("achievement.keepTarget" as const),
      })),
    ],
  };
  return form;
}

/** The dialog of targets. If the object is chosen in the form, its targets are not loaded: empty fields leave them as they are. */
export function targetDialog({ overlay, t, months, objects, start }: TargetDialog) {
  return (
    <FormDialog
      overlay={overlay}
      title={start.object ? t("achievement.setFor", { name: start.name }) : t("achievement.setTitle")}
      draft={`achievement.target ${start.month} ${start.object}`}
      form={targetForm(t, months, objects, start)}
      record={start}
      save={({ month, object, ...values }) => {
        const [objectType, id] = object.split(":") as [TargetEntry["objectType"], string];
        const targets = achievementMetricCodes
          .map((metric) => ({ month, objectType, objectId: Number(id), metric, target: values[NAMES[metric]] }))
          .filter(({ target }) => start.object !== null || target !== null);
        return api.put<TargetsWritten>("/crm/achievements/target", { targets });
      }}
    />
  );
}
