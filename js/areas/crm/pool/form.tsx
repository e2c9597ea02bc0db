/** The form of a pool. A lazy chunk. */
import * as z from "zod/mini";

import type { PoolRow, SalesLevel, SelectOption } from "../../../lib/api-types";
import { salesLevelCodes } from "../../../lib/codes";
import { api } from "../../../lib/api";
import type { Translate } from "../../../lib/i18n";
import { poolLimits } from "../../../lib/limits";
import type { Form } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import type { Overlay } from "../../../ui/overlay";
import type { PoolChoices } from "./fields";
import { newOrg } from "../../org/share";

interface PoolDialog {
  overlay: Overlay<PoolRow>;
  t: Translate;
  choices: PoolChoices;
  /** The teams of the organisation; null while it is not known. */
  teams: readonly SelectOption[] | null;
  /** The pool to be edited; a new one without it. */
  row: PoolRow | undefined;
}

function poolForm({ t, choices: { orgs, orgId }, teams, row }: PoolDialog) {
  const rule = rules(t);
  const gone =
    row?.subOrgIds.flatMap((value, index) =>
      teams?.some((team) => team.value === value) ? [] : [{ value, label: row.subOrgNames[index] ?? "" }],
    ) ?? [];
  const schema = z
    .object({
      orgId: rule.id(),
      name: rule.text(poolLimits.name),
      claimPerDay: rule.integer(0, poolLimits.mostClaims),
      formerOwnerDays: rule.integer(0, poolLimits.mostDays),
      newDelayMinutes: rule.integer(0, poolLimits.mostMinutes),
      reclaimDays: rule.integer(0, poolLimits.mostDays),
      remindDays: rule.integer(0, poolLimits.mostDays),
      minLevel: z.pipe(
        rule.oneOf<SalesLevel | "">(["", ...salesLevelCodes]),
        z.transform((level: SalesLevel | "") => level || null),
      ),
      sort: rule.integer(0, poolLimits.mostSort),
      subOrgIds: rule.ids(),
    })
    .check(
      z.refine(({ reclaimDays, remindDays }) => remindDays === 0 || remindDays < reclaimDays, {
        path: ["remindDays"],
        error: t("pool.remindWrong"),
      }),
    );
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      {
        name: "orgId",
        label: "pool.orgName",
        kind: "select",
        required: true,
        empty: "salesperson.choose",
        fixed: Boolean(row),
        when: () => orgId === null,
        hint: row ? undefined : "pool.orgHint",
        choices: row ? [{ value: row.orgId, label: row.orgName }] : orgs,
        create: newOrg,
      },
      { name: "name", label: "pool.name", kind: "text", required: true },
      { name: "claimPerDay", label: "pool.claimPerDay", kind: "integer", required: true, hint: "pool.claimHint" },
      { name: "formerOwnerDays", label: "pool.formerOwnerDays", kind: "integer", required: true, hint: "pool.formerHint" },
      { name: "newDelayMinutes", label: "pool.newDelayMinutes", kind: "integer", required: true, hint: "pool.delayHint" },
      { name: "reclaimDays", label: "pool.reclaimDays", kind: "integer", required: true, hint: "pool.reclaimHint" },
      { name: "remindDays", label: "pool.remindDays", kind: "integer", required: true, hint: "pool.remindHint" },
      {
        name: "minLevel",
        label: "pool.minLevel",
        kind: "select",
        empty: "pool.anyLevel",
        hint: "pool.minLevelHint",
        choices: salesLevelCodes.map((value) => ({ value, label: t(`SalesLevel.${value}`) })),
      },
      { name: "sort", label: "pool.sort", kind: "integer", required: true, hint: "pool.sortHint" },
      {
        name: "subOrgIds",
        label: "pool.subOrgNames",
        kind: "boxes",
        choices: [...(teams ?? []), ...gone],
        wide: true,
        hint: "pool.teamsHint",
        when: () => teams !== null,
      },
    ],
  };
  return form;
}

/** The dialog of a pool; it closes with the pool as it was saved. */
export function poolDialog(dialog: PoolDialog) {
  const { overlay, t, choices, row } = dialog;
  const blank = {
    orgId: choices.orgId,
    name: "",
    claimPerDay: 20,
    formerOwnerDays: 3,
    newDelayMinutes: 0,
    reclaimDays: 7,
    remindDays: 1,
    minLevel: null,
    sort: 0,
    subOrgIds: [],
  };
  return (
    <FormDialog
      overlay={overlay}
      title={t(row ? "pool.edit" : "pool.create")}
      draft="pool"
      form={poolForm(dialog)}
      record={row ?? blank}
      save={(values, record) =>
        "id" in record
          ? api.put<PoolRow>("/crm/pool", { ...values, id: record.id, version: record.version })
          : api.post<PoolRow>("/crm/pool", values)
      }
    />
  );
}
