/** The table of the targets of a month: a row for each person, team and organisation. A lazy chunk. */
import * as z from "zod/mini";

import type { AchievementMetric, TargetEntry, TargetRow, TargetsWritten, TargetTable } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { achievementMetricCodes } from "../../../lib/codes";
import { shortMoney } from "../../../lib/format";
import type { MessageKey, Translate } from "../../../lib/i18n";
import { achievementTargetLimits } from "../../../lib/limits";
import { Button } from "../../../ui/button";
import { labelOf } from "../../../ui/field";
import type { Form } from "../../../ui/form";
import { FormDialog, type FormParts } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import type { Overlay } from "../../../ui/overlay";
import { isMoney, monthAfter } from "./fields";

/** The head of each metric's column. */
const HEADS: Readonly<Record<AchievementMetric, MessageKey>> = {
  loan_amount: "achievement.loanAmount",
  fee_received: "achievement.feeReceived",
  signed: "achievement.signed",
  visits: "achievement.visits",
};

/** Which objects the table has. */
export interface TargetChoice {
  month: string;
  orgId?: string | undefined;
  subOrgId?: string | undefined;
  objectType?: string | undefined;
  objectId?: string | undefined;
}

const nameOf = ({ objectType, objectId }: TargetRow, metric: AchievementMetric) => `${objectType}-${objectId}-${metric}`;

/** The targets by the names of their fields. */
type Values = Record<string, number | null>;

const valuesOf = (rows: readonly TargetRow[]): Values =>
  Object.fromEntries(rows.flatMap((row) => achievementMetricCodes.map((metric, i) => [nameOf(row, metric), row.targets[i] ?? null])));

function targetForm(t: Translate, rows: readonly TargetRow[]): Form<Values> {
  const rule = rules(t);
  const cells = rows.flatMap((row) => achievementMetricCodes.map((metric) => ({ row, metric, name: nameOf(row, metric) })));
  const { mostCents, mostClues } = achievementTargetLimits;
  return {
    schema: z.object(
      Object.fromEntries(
        cells.map(({ name, metric }) => [name, isMoney(metric) ? rule.optionalMoney(0, mostCents) : rule.optionalInteger(0, mostClues)]),
      ),
    ) as unknown as Form<Values>["schema"],
    fields: cells.map(({ row, metric, name }) => ({
      name,
      label: HEADS[metric],
      text: `${row.name} ${t(HEADS[metric])}`,
      kind: isMoney(metric) ? ("money" as const) : ("integer" as const),
      bare: true,
    })),
  };
}

interface TargetDialog {
  overlay: Overlay<TargetsWritten>;
  t: Translate;
  choice: TargetChoice;
  table: TargetTable;
}

/** The dialog of targets: what was changed is saved together. */
export function targetDialog({ overlay, t, choice, table: { rows, total } }: TargetDialog) {
  const { month } = choice;
  const record = valuesOf(rows);
  const isOne = choice.objectId !== undefined && rows.length === 1;
  return (
    <FormDialog
      overlay={overlay}
      title={isOne ? t("achievement.setFor", { name: rows[0]!.name }) : t("achievement.setOf", { month })}
      note={total > rows.length ? t("achievement.notAll", { count: rows.length }) : undefined}
      draft={`achievement.targets ${Object.values(choice).filter(Boolean).join(" ")}`}
      form={targetForm(t, rows)}
      record={record}
      layout={(parts) => <Table parts={parts} rows={rows} month={month} t={t} />}
      save={async (values) => {
        const targets = rows.flatMap((row) =>
          achievementMetricCodes.flatMap((metric): TargetEntry[] => {
            const name = nameOf(row, metric);
            const target = values[name] ?? null;
            return target === record[name] ? [] : [{ month, objectType: row.objectType, objectId: row.objectId, metric, target }];
          }),
        );
        if (targets.length === 0) return { written: 0 };
        return api.put<TargetsWritten>("/crm/achievements/target", { targets });
      }}
    />
  );
}

interface TableProps {
  parts: FormParts;
  rows: readonly TargetRow[];
  month: string;
  t: Translate;
}

function Table({ parts: { control, inputs, fill }, rows, month, t }: TableProps) {
  const copies = rows.flatMap((row) =>
    achievementMetricCodes.flatMap((metric, i) => {
      const before = row.before[i] ?? null;
      const name = nameOf(row, metric);
      if (before === null || inputs[name] !== "") return [];
      return [{ name, input: isMoney(metric) ? shortMoney(before) : String(before) }];
    }),
  );
  return (
    <>
      <div className="ll-table-box" role="group" aria-label={t("achievement.setOf", { month })} tabIndex={0}>
        <table className="ll-table">
          <thead>
            <tr>
              <th scope="col">{t("achievement.objectName")}</th>
              <th scope="col">{t("achievement.subOrgName")}</th>
              {achievementMetricCodes.map((metric) => (
                <th key={metric} scope="col">
                  {t(HEADS[metric])}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={`${row.objectType} ${row.objectId}`}>
                <th scope="row">{row.name}</th>
                <td>{row.objectType === "person" ? (row.subOrgName ?? "-") : labelOf(t, "AchievementObject", row.objectType)}</td>
                {achievementMetricCodes.map((metric) => (
                  <td key={metric}>{control(nameOf(row, metric))}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="ll-hint">{t("achievement.noTarget")}</p>
      {copies.length > 0 && (
        <Button icon="copy" onClick={() => copies.forEach(({ name, input }) => fill(name, input))}>
          {t("achievement.fillIn", { month: monthAfter(month, -1) })}
        </Button>
      )}
    </>
  );
}
