/** The forms of a salesperson: a new one, changes, and a departure with its hand-over. A lazy chunk. */
import * as z from "zod/mini";

import type { SalespersonRow, SelectOption } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { salesLevelCodes } from "../../../lib/codes";
import type { Translate } from "../../../lib/i18n";
import { salesLimits, salespersonLimits } from "../../../lib/limits";
import { unmergeable } from "../../../ui/conflict";
import { labelOf } from "../../../ui/field";
import type { FormField } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import type { Overlay } from "../../../ui/overlay";
import { citiesRule } from "../../../ui/place-rules";
import { citiesField } from "../../../ui/place-select";
import { newAccount } from "../../admin/share";
import { newOrg } from "../../org/share";
import type { SalespersonChoices } from "./fields";
import { newTeam } from "../share";

const teamsOf = (orgId: string) => api.get<SelectOption[]>("/org/subOptions", { orgId });
const accountsOf = (orgId: string) => api.get<SelectOption[]>("/crm/salesperson/accounts", { orgId });

/** The fields that both forms have. */
function termsOf(t: Translate) {
  const rule = rules(t);
  const schema = {
    jobNo: rule.note(salespersonLimits.jobNo),
    level: rule.oneOf(salesLevelCodes),
    wechat: rule.note(salespersonLimits.wechat),
    cities: citiesRule(t, salesLimits.mostCities),
    weight: rule.integer(1, salespersonLimits.mostWeight),
    dailyCap: rule.optionalInteger(0, salespersonLimits.mostLeads),
    privateCap: rule.optionalInteger(1, salespersonLimits.mostHeld),
  };
  const fields: readonly FormField[] = [
    {
      name: "level",
      label: "salesperson.level",
      kind: "select",
      required: true,
      hint: "salesperson.levelHint",
      choices: salesLevelCodes.map((value) => ({ value, label: labelOf(t, "SalesLevel", value) })),
    },
    { name: "jobNo", label: "salesperson.jobNo", kind: "text" },
    { name: "wechat", label: "salesperson.wechat", kind: "text" },
    { name: "weight", label: "salesperson.weight", kind: "integer", required: true, hint: "salesperson.weightHint" },
    { name: "dailyCap", label: "salesperson.dailyCap", kind: "integer", hint: "salesperson.noLimitHint" },
    { name: "privateCap", label: "salesperson.privateCap", kind: "integer", hint: "salesperson.noLimitHint" },
    citiesField(t, { name: "cities", label: "salesperson.cities", wide: true, hint: "salesperson.citiesHint" }),
  ];
  return { schema, fields };
}

interface NewDialog {
  overlay: Overlay<SalespersonRow>;
  t: Translate;
  choices: SalespersonChoices;
}

/** The dialog that makes an account a salesperson. */
export function newSalesperson({ overlay, t, choices: { orgs, orgId, moves } }: NewDialog) {
  const rule = rules(t);
  const terms = termsOf(t);
  const blank = {
    orgId,
    adminId: null,
    subOrgId: null,
    jobNo: "",
    level: "junior",
    wechat: "",
    cities: [],
    weight: 1,
    dailyCap: null,
    privateCap: null,
  };
  return (
    <FormDialog
      overlay={overlay}
      title={t("salesperson.create")}
      draft="salesperson"
      note={t("salesperson.createNote")}
      form={{
        schema: z.object({ orgId: rule.id(), adminId: rule.id(), subOrgId: rule.optionalId(), ...terms.schema }),
        fields: [
          {
            name: "orgId",
            label: "salesperson.orgName",
            kind: "select",
            required: true,
            empty: "salesperson.choose",
            choices: orgs,
            search: "/org/options",
            create: newOrg,
            when: () => orgId === null,
          },
          {
            name: "adminId",
            label: "salesperson.account",
            kind: "dependent",
            on: "orgId",
            load: accountsOf,
            empty: "salesperson.choose",
            create: newAccount,
            required: true,
          },
          {
            name: "subOrgId",
            label: "salesperson.subOrgName",
            kind: "dependent",
            on: "orgId",
            load: teamsOf,
            empty: "salesperson.ownTeam",
            create: newTeam,
            when: () => moves,
          },
          ...terms.fields,
        ],
      }}
      record={blank}
      save={({ orgId: _chosen, ...values }) => api.post<SalespersonRow>("/crm/salesperson", values)}
    />
  );
}

interface EditDialog extends NewDialog {
  teams: readonly SelectOption[];
  row: SalespersonRow;
}

/** The dialog that changes a salesperson. */
export function editSalesperson({ overlay, t, choices: { moves }, teams, row }: EditDialog) {
  const rule = rules(t);
  const terms = termsOf(t);
  const own = row.subOrgId === null ? [] : [{ value: row.subOrgId, label: row.subOrgName ?? "" }];
  const choices = own.some(({ value }) => !teams.some((team) => team.value === value)) ? [...teams, ...own] : teams;
  return (
    <FormDialog
      overlay={overlay}
      title={t("salesperson.editTitle", { name: row.name })}
      draft="salesperson"
      form={{
        schema: z.object({ subOrgId: rule.optionalId(), ...terms.schema }),
        fields: [
          {
            name: "subOrgId",
            label: "salesperson.subOrgName",
            kind: "select",
            choices,
            fixed: !moves,
            hint: moves ? "salesperson.teamHint" : undefined,
            empty: row.subOrgId === null ? "salesperson.noTeam" : undefined,
          },
          ...terms.fields,
        ],
      }}
      record={row}
      save={(values, { id, version }) => api.put<SalespersonRow>("/crm/salesperson", { ...values, id, version })}
    />
  );
}

interface LeaveDialog {
  overlay: Overlay<SalespersonRow>;
  t: Translate;
  row: SalespersonRow;
  people: readonly SelectOption[];
}

/** The dialog of a departure: chooses who gets the open clues. */
export function leaveDialog({ overlay, t, row: { id, orgId, version, name, held }, people }: LeaveDialog) {
  return (
    <FormDialog
      overlay={overlay}
      title={t("salesperson.leaveTitle", { name })}
      draft={`salesperson.leave ${id}`}
      note={t(held > 0 ? "salesperson.leaveNote" : "salesperson.leaveNothing", { name, held })}
      submit={t("salesperson.leave")}
      form={{
        schema: z.object({ handOverTo: rules(t).optionalId() }),
        fields: [
          {
            name: "handOverTo",
            label: "salesperson.handOverTo",
            kind: "select",
            empty: "salesperson.toPool",
            wide: true,
            choices: people.filter(({ value }) => value !== id),
            search: `/crm/salesperson/options?orgId=${orgId}`,
            when: () => held > 0,
          },
        ],
      }}
      record={{ handOverTo: null }}
      save={async ({ handOverTo }) => {
        try {
          return await api.put<SalespersonRow>("/crm/salesperson/status", { id, version, status: "left", handOverTo });
        } catch (error) {
          // The departure is about the salesperson as read: after a change there is nothing to merge.
          throw unmergeable(error);
        }
      }}
    />
  );
}
