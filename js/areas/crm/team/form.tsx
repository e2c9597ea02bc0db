/** The form of a team. A lazy chunk. */
import * as z from "zod/mini";

import type { TeamRow } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { useStatusCodes } from "../../../lib/codes";
import type { Translate } from "../../../lib/i18n";
import { salesLimits, teamLimits } from "../../../lib/limits";
import { labelOf } from "../../../ui/field";
import type { Form } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import type { Overlay } from "../../../ui/overlay";
import { citiesRule } from "../../../ui/place-rules";
import { citiesField, cityField } from "../../../ui/place-select";
import type { TeamChoices } from "./fields";
import { newOrg } from "../../org/share";

interface TeamDialog {
  overlay: Overlay<TeamRow>;
  t: Translate;
  choices: TeamChoices;
  /** The team to be edited; a new one without it. */
  row: TeamRow | undefined;
}

function teamForm(t: Translate, { orgs, orgId }: TeamChoices, row: TeamRow | undefined) {
  const rule = rules(t);
  const schema = z.object({
    orgId: rule.id(),
    name: rule.text(teamLimits.name),
    city: rule.note(32),
    address: rule.note(teamLimits.address),
    managerName: rule.note(teamLimits.managerName),
    phone: rule.optionalPhone(),
    cities: citiesRule(t, salesLimits.mostCities),
    dailyCap: rule.optionalInteger(0, teamLimits.mostLeads),
    weight: rule.integer(1, teamLimits.mostWeight),
    sort: rule.integer(0, teamLimits.mostSort),
    acceptLeads: rule.flag(),
    status: rule.oneOf(useStatusCodes),
  });
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      {
        name: "orgId",
        label: "team.orgName",
        kind: "select",
        required: true,
        empty: "salesperson.choose",
        fixed: Boolean(row),
        when: () => orgId === null,
        choices: row ? [{ value: row.orgId, label: row.orgName }] : orgs,
        create: newOrg,
      },
      { name: "name", label: "team.name", kind: "text", required: true },
      cityField(t, { name: "city", label: "team.city" }),
      { name: "managerName", label: "team.managerName", kind: "text" },
      {
        name: "phone",
        label: "team.phoneMask",
        kind: "text",
        type: "tel",
        placeholder: row?.phoneMask ?? undefined,
        hint: row?.phoneMask ? "team.phoneKeep" : undefined,
      },
      {
        name: "acceptLeads",
        label: "team.acceptLeads",
        kind: "flag",
        hint: "team.acceptHint",
      },
      { name: "dailyCap", label: "team.dailyCap", kind: "integer", hint: "salesperson.noLimitHint" },
      { name: "weight", label: "team.weight", kind: "integer", required: true, hint: "team.weightHint" },
      { name: "sort", label: "team.sort", kind: "integer", required: true, hint: "team.sortHint" },
      {
        name: "status",
        label: "team.status",
        kind: "select",
        required: true,
        hint: row?.status === "enabled" ? "team.statusHint" : undefined,
        choices: useStatusCodes.map((value) => ({ value, label: labelOf(t, "UseStatus", value) })),
      },
      { name: "address", label: "team.address", kind: "text", wide: true },
      citiesField(t, { name: "cities", label: "team.cities", wide: true, hint: "salesperson.citiesHint" }),
    ],
  };
  return form;
}

/** The dialog of a team; it closes with the team as it was saved. */
export function teamDialog({ overlay, t, choices, row }: TeamDialog) {
  const blank = {
    orgId: choices.orgId,
    name: "",
    city: "",
    address: "",
    managerName: "",
    phone: null,
    cities: [],
    dailyCap: null,
    weight: 1,
    sort: 0,
    acceptLeads: true,
    status: "enabled",
  };
  return (
    <FormDialog
      overlay={overlay}
      title={t(row ? "team.edit" : "team.create")}
      draft="team"
      form={teamForm(t, choices, row)}
      record={row ?? blank}
      save={(values, record) =>
        "id" in record
          ? api.post<TeamRow>("/crm/updateSubOrg", { ...values, id: record.id, version: record.version })
          : api.post<TeamRow>("/crm/addSubOrg", values)
      }
    />
  );
}
