/** The form of a plan. A lazy chunk: it loads when one is created, edited or copied. */
import * as z from "zod/mini";

import type { PlanNow, PlanRow, SelectOption } from "../../../lib/api-types";
import { deliverModeCodes, outOfScheduleCodes, saleModeCodes } from "../../../lib/codes";
import { api } from "../../../lib/api";
import type { Translate } from "../../../lib/i18n";
import { capLimits, planLimits, priceLimits } from "../../../lib/limits";
import { labelOf } from "../../../ui/field";
import type { Form, FormField, Inputs } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import { termsField, termsRules } from "../../../ui/form-terms";
import type { Overlay } from "../../../ui/overlay";
import { citiesRule } from "../../../ui/place-rules";
import { citiesField } from "../../../ui/place-select";
import { newOrg } from "../../org/share";
import { newProduct } from "../../product/share";
import type { PlanChoices } from "./fields";
import { isApproved } from "./status";
import { newTeam } from "../../crm/share";

const DAY = /^\d{4}-\d\d-\d\d$/;

/** What a new plan starts with. */
const blank = {
  name: "",
  orgId: null,
  subOrgId: null,
  productId: null,
  deliverMode: "back_office",
  saleMode: "exclusive",
  maxBuyers: 3,
  priceCents: null,
  priceRules: [],
  methodPriority: 100,
  weight: 10,
  exposureWeight: 10,
  cities: [],
  channelAllow: [],
  channelDeny: [],
  ruleSet: null,
  dedupDays: null,
  schedule: null,
  outOfSchedule: "skip",
  startsOn: null,
  endsOn: null,
  caps: [],
  matchRequired: false,
  ownPriceLeastCents: null,
  ownPriceMostCents: null,
  ownDayMost: null,
  ownHours: false,
  ownCities: false,
  ownPause: false,
  remark: "",
} as const;

interface PlanDialog {
  overlay: Overlay<PlanRow>;
  t: Translate;
  choices: PlanChoices;
  /** The plan to be edited or copied; a new one without it. */
  row: PlanNow | undefined;
  copy: boolean;
  /** Terms to begin with, instead of the plan's. */
  terms?: object;
}

const isShared = ({ saleMode }: Inputs) => saleMode === "shared";
const hasSchedule = ({ schedule }: Inputs) => schedule !== "";
const subOrgs = (orgId: string) => api.get<SelectOption[]>("/org/subOptions", { orgId });
const products = (orgId: string) => api.get<SelectOption[]>("/product/options", { orgId });

/** The terms that decide which leads a plan buys, in which order, for how much and how many: their schemas and fields. */
export function saleTerms(t: Translate, channels: readonly SelectOption[]) {
  const rule = rules(t);
  const terms = termsRules(t);
  const outOfSchedules = outOfScheduleCodes.map((value) => ({ value, label: labelOf(t, "OutOfSchedule", value) }));
  return {
    shape: {
      priceCents: rule.money(priceLimits.mostCents),
      priceRules: terms.prices(),
      methodPriority: rule.integer(1, planLimits.mostPriority),
      weight: rule.integer(1, planLimits.mostWeight),
      caps: terms.caps(),
      schedule: terms.schedule(),
      outOfSchedule: rule.oneOf(outOfScheduleCodes),
      ruleSet: terms.rules(),
      cities: citiesRule(t, planLimits.mostCities),
      channelAllow: rule.ids(),
      channelDeny: rule.ids(),
    },
    checks: [
      z.refine<{ priceCents: number }>(({ priceCents }) => priceCents > 0, { path: ["priceCents"], error: t("plan.priceNeeded") }),
      z.refine<{ channelAllow: number[]; channelDeny: number[] }>(
        ({ channelAllow, channelDeny }) => !channelAllow.some((id) => channelDeny.includes(id)),
        {
          path: ["channelDeny"],
          error: t("plan.bothChannels"),
        },
      ),
    ] as const,
    selling: [
      { name: "priceCents", label: "plan.priceInput", kind: "money", required: true, hint: "plan.priceHint" },
      { name: "methodPriority", label: "plan.methodPriority", kind: "integer", required: true, hint: "plan.methodPriorityHint" },
      { name: "weight", label: "plan.weight", kind: "integer", required: true, hint: "plan.weightHint" },
    ] satisfies FormField[],
    buying: [
      { name: "priceRules", label: "plan.priceRules", ...termsField.prices, wide: true, hint: "plan.priceRulesHint" },
      { name: "caps", label: "plan.caps", ...termsField.caps, wide: true, hint: "plan.capsHint" },
      { name: "ruleSet", label: "plan.ruleSet", ...termsField.rules, wide: true, hint: "plan.ruleSetHint" },
      { name: "schedule", label: "plan.schedule", ...termsField.schedule, wide: true },
      { name: "outOfSchedule", label: "plan.outOfSchedule", kind: "select", choices: outOfSchedules, when: hasSchedule },
      citiesField(t, { name: "cities", label: "plan.cities", wide: true, hint: "plan.citiesHint" }),
      { name: "channelAllow", label: "plan.channelAllow", kind: "boxes", choices: channels, wide: true, hint: "plan.channelAllowHint" },
      { name: "channelDeny", label: "plan.channelDeny", kind: "boxes", choices: channels, wide: true },
    ] satisfies FormField[],
  };
}

function planForm(t: Translate, { orgs, channels }: PlanChoices, row: PlanNow | undefined, isNew: boolean) {
  const rule = rules(t);
  const sale = saleTerms(t, channels);
  const flag = () =>
    z.pipe(
      rule.oneOf(["true", "false"]),
      z.transform((code: "true" | "false") => code === "true"),
    );
  const codes = (labels: string, all: readonly string[]) => all.map((value) => ({ value, label: labelOf(t, labels, value) }));
  const yesNo = [
    { value: "true", label: t("ui.yes") },
    { value: "false", label: t("ui.no") },
  ];
  const own = row && { value: row.orgId, label: row.orgName };
  const orgChoices = own && !orgs.some(({ value }) => value === own.value) ? [...orgs, own] : orgs;
  const chosen = (id: number | null | undefined, name: string | null | undefined) =>
    id == null ? undefined : { value: id, label: name ?? String(id) };
  const schema = z
    .object({
      name: rule.text(planLimits.name),
      orgId: rule.id(),
      subOrgId: rule.optionalId(),
      productId: rule.optionalId(),
      deliverMode: rule.oneOf(deliverModeCodes),
      matchRequired: flag(),
      saleMode: rule.oneOf(saleModeCodes),
      maxBuyers: rule.optionalInteger(1, planLimits.mostBuyers),
      ...sale.shape,
      exposureWeight: rule.integer(0, planLimits.mostExposureWeight),
      startsOn: rule.optional(10, DAY),
      endsOn: rule.optional(10, DAY),
      dedupDays: rule.optionalInteger(0, planLimits.mostDedupDays),
      ownPriceLeastCents: rule.optionalMoney(1, priceLimits.mostCents),
      ownPriceMostCents: rule.optionalMoney(1, priceLimits.mostCents),
      ownDayMost: rule.optionalInteger(1, capLimits.mostCount),
      ownHours: flag(),
      ownCities: flag(),
      ownPause: flag(),
      remark: rule.note(planLimits.remark),
    })
    .check(
      ...sale.checks,
      z.refine(({ saleMode, maxBuyers }) => saleMode !== "shared" || (maxBuyers ?? 0) >= planLimits.leastBuyers, {
        path: ["maxBuyers"],
        error: t("ui.rule.range", { min: planLimits.leastBuyers, max: planLimits.mostBuyers }),
      }),
      z.refine(({ ownPriceLeastCents: least, ownPriceMostCents: most }) => (least === null) === (most === null), {
        path: ["ownPriceMostCents"],
        error: t("plan.ownPriceBoth"),
      }),
      z.refine(({ ownPriceLeastCents: least, ownPriceMostCents: most }) => least === null || most === null || least <= most, {
        path: ["ownPriceMostCents"],
        error: t("plan.ownPriceWrong"),
      }),
      z.refine(({ startsOn, endsOn }) => !startsOn || !endsOn || startsOn <= endsOn, { path: ["endsOn"], error: t("plan.daysWrong") }),
    );
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      { name: "name", label: "plan.name", kind: "text", required: true },
      {
        name: "orgId",
        label: "plan.org",
        kind: "select",
        required: true,
        fixed: !isNew,
        empty: "plan.chooseOrg",
        choices: orgChoices,
        create: newOrg,
      },
      {
        name: "subOrgId",
        label: "plan.subOrg",
        kind: "dependent",
        on: "orgId",
        load: subOrgs,
        empty: "plan.noSubOrg",
        chosen: chosen(row?.subOrgId, row?.subOrgName),
        create: newTeam,
      },
      {
        name: "productId",
        label: "plan.product",
        kind: "dependent",
        on: "orgId",
        load: products,
        empty: "plan.noProduct",
        chosen: chosen(row?.productId, row?.productName),
        create: newProduct,
      },
      { name: "deliverMode", label: "plan.deliverMode", kind: "select", required: true, choices: codes("DeliverMode", deliverModeCodes) },
      { name: "matchRequired", label: "plan.matchRequired", kind: "select", required: true, choices: yesNo },
      { name: "saleMode", label: "plan.saleMode", kind: "select", required: true, choices: codes("SaleMode", saleModeCodes) },
      { name: "maxBuyers", label: "plan.maxBuyers", kind: "integer", unit: "plan.buyers", required: true, when: isShared },
      ...sale.selling,
      { name: "exposureWeight", label: "plan.exposureWeight", kind: "integer", required: true, hint: "plan.exposureWeightHint" },
      { name: "startsOn", label: "plan.startsOn", kind: "date" },
      { name: "endsOn", label: "plan.endsOn", kind: "date" },
      { name: "dedupDays", label: "plan.dedupDays", kind: "integer", unit: "channel.days", hint: "plan.dedupHint" },
      ...sale.buying,
      { name: "ownPriceLeastCents", label: "plan.ownPriceLeastInput", kind: "money", hint: "plan.ownHint" },
      { name: "ownPriceMostCents", label: "plan.ownPriceMostInput", kind: "money" },
      { name: "ownDayMost", label: "plan.ownDayMost", kind: "integer", hint: "plan.ownDayHint" },
      { name: "ownHours", label: "plan.ownHours", kind: "select", required: true, choices: yesNo },
      { name: "ownCities", label: "plan.ownCities", kind: "select", required: true, choices: yesNo },
      { name: "ownPause", label: "plan.ownPause", kind: "select", required: true, choices: yesNo },
      { name: "remark", label: "plan.remark", kind: "area", wide: true },
    ],
  };
  return form;
}

/** The values of the fields for a plan, with its requested terms, also after a conflict. */
const withRequestedTerms = (row: object) => ("change" in row && row.change ? { ...row, ...row.change } : row);

/** The dialog of a plan; it closes with the plan as it was saved. */
export function planDialog({ overlay, t, choices, row, copy, terms }: PlanDialog) {
  const isNew = copy || !row;
  // Requested terms stay requested unless they are changed here.
  const requested = !isNew && row.change ? { ...row, ...row.change, ...row.changeNames } : row;
  return (
    <FormDialog
      overlay={overlay}
      title={t(copy ? "plan.copy" : row ? "plan.edit" : "plan.create")}
      draft={copy ? "plan.copy" : "plan"}
      note={isNew || !isApproved(row) ? undefined : t(row.change ? "plan.changeShown" : "plan.changeLater")}
      form={planForm(t, choices, requested, isNew)}
      record={requested ?? blank}
      valuesOf={isNew ? undefined : (record) => ({ ...withRequestedTerms(record), ...terms })}
      save={(values, record) =>
        isNew || !("id" in record)
          ? api.post<PlanRow>("/plan", values)
          : api.put<PlanRow>("/plan", { ...values, id: record.id, version: record.version })
      }
    />
  );
}
