/** The form of a plan: its sections, their fields and their checks. A trial has the terms of sale alone. */
import * as z from "zod/mini";

import type { PlanNow, SelectOption } from "../../../lib/api-types";
import { deliverModeCodes, outOfScheduleCodes, saleModeCodes } from "../../../lib/codes";
import { api } from "../../../lib/api";
import type { Translate } from "../../../lib/i18n";
import { capLimits, planLimits, priceLimits } from "../../../lib/limits";
import { labelOf } from "../../../ui/field";
import type { FormField, FormSection, Inputs } from "../../../ui/form";
import { rules } from "../../../ui/form-rules";
import { termsField, termsRules } from "../../../ui/form-terms";
import { citiesRule } from "../../../ui/place-rules";
import { citiesField } from "../../../ui/place-select";
import { newTeam } from "../../crm/share";
import { newOrg } from "../../org/share";
import { newProduct } from "../../product/share";
import type { PlanChoices } from "./fields";

const DAY = /^\d{4}-\d\d-\d\d$/;

/** Which channels a plan takes leads of; the lists of channels say it on the wire. */
const channelModes = ["all", "only", "except"] as const;

interface OfChannels {
  channelAllow: readonly number[];
  channelDeny: readonly number[];
}

/** The values of the fields for terms of sale. */
export const withChannelMode = <Terms extends OfChannels>(terms: Terms) => ({
  ...terms,
  channelMode: terms.channelAllow.length > 0 ? "only" : terms.channelDeny.length > 0 ? "except" : "all",
});

/** The terms that are sent: without a list that does not apply. */
export const termsOf = <Values extends OfChannels & { channelMode: (typeof channelModes)[number] }>({ channelMode, ...terms }: Values) => ({
  ...terms,
  channelAllow: channelMode === "only" ? terms.channelAllow : [],
  channelDeny: channelMode === "except" ? terms.channelDeny : [],
});

/** The bounds of a plan that its organisation does not change; those of a copied plan were agreed for that plan alone. */
export const noBounds = {
  ownPriceLeastCents: null,
  ownPriceMostCents: null,
  ownDayMost: null,
  ownHours: false,
  ownCities: false,
  ownPause: false,
} as const;

/** What a new plan starts with. */
export const blank = {
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
  channelMode: "all",
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
  ...noBounds,
  remark: "",
} as const;

const isShared = ({ saleMode }: Inputs) => saleMode === "shared";
const hasSchedule = ({ schedule }: Inputs) => schedule !== "";
const subOrgs = (orgId: string) => api.get<SelectOption[]>("/org/subOptions", { orgId });
const products = (orgId: string) => api.get<SelectOption[]>("/product/options", { orgId });

/** The terms that decide which leads a plan buys, in which order, for how much and how many: their schemas and fields. */
export function saleTerms(t: Translate, channels: readonly SelectOption[]) {
  const rule = rules(t);
  const terms = termsRules(t);
  const outOfSchedules = outOfScheduleCodes.map((value) => ({ value, label: labelOf(t, "OutOfSchedule", value) }));
  const modes = channelModes.map((value) => ({ value, label: labelOf(t, "plan.channelMode", value) }));
  const ofChannels = { kind: "several", choices: channels, search: "/channel/options", required: true, wide: true } as const;
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
      channelMode: rule.oneOf(channelModes),
      channelAllow: rule.ids(),
      channelDeny: rule.ids(),
    },
    checks: [
      z.refine<{ priceCents: number }>(({ priceCents }) => priceCents > 0, { path: ["priceCents"], error: t("plan.priceNeeded") }),
      z.refine<OfChannels & { channelMode: string }>(({ channelMode, channelAllow }) => channelMode !== "only" || channelAllow.length > 0, {
        path: ["channelAllow"],
        error: t("ui.rule.choose"),
      }),
      z.refine<OfChannels & { channelMode: string }>(({ channelMode, channelDeny }) => channelMode !== "except" || channelDeny.length > 0, {
        path: ["channelDeny"],
        error: t("ui.rule.choose"),
      }),
    ] as const,
    prices: [
      { name: "priceCents", label: "plan.priceInput", kind: "money", required: true, hint: "plan.priceHint" },
      { name: "priceRules", label: "plan.priceRules", ...termsField.prices, wide: true, hint: "plan.priceRulesHint" },
    ] satisfies FormField[],
    amounts: [
      { name: "methodPriority", label: "plan.methodPriority", kind: "integer", required: true, hint: "plan.methodPriorityHint" },
      { name: "weight", label: "plan.weight", kind: "integer", required: true, hint: "plan.weightHint" },
      { name: "caps", label: "plan.caps", ...termsField.caps, wide: true, hint: "plan.capsHint" },
    ] satisfies FormField[],
    applicants: [
      { name: "ruleSet", label: "plan.ruleSet", ...termsField.rules, wide: true, hint: "plan.ruleSetHint" },
      citiesField(t, { name: "cities", label: "plan.cities", wide: true, hint: "plan.citiesHint" }),
    ] satisfies FormField[],
    hours: [
      { name: "schedule", label: "plan.schedule", ...termsField.schedule, wide: true },
      { name: "outOfSchedule", label: "plan.outOfSchedule", kind: "select", choices: outOfSchedules, when: hasSchedule },
    ] satisfies FormField[],
    channels: [
      { name: "channelMode", label: "plan.channelMode", kind: "select", required: true, choices: modes },
      { name: "channelAllow", label: "plan.channelAllow", ...ofChannels, when: ({ channelMode }) => channelMode === "only" },
      { name: "channelDeny", label: "plan.channelDeny", ...ofChannels, when: ({ channelMode }) => channelMode === "except" },
    ] satisfies FormField[],
  };
}

export function planForm(t: Translate, { orgs, channels }: PlanChoices, row: PlanNow | undefined, isNew: boolean) {
  const rule = rules(t);
  const sale = saleTerms(t, channels);
  const codes = (labels: string, all: readonly string[]) => all.map((value) => ({ value, label: labelOf(t, labels, value) }));
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
      matchRequired: rule.flag(),
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
      ownHours: rule.flag(),
      ownCities: rule.flag(),
      ownPause: rule.flag(),
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
  const sections: readonly FormSection[] = [
    {
      title: "plan.sectionBasic",
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
        { name: "matchRequired", label: "plan.matchRequired", kind: "flag" },
        { name: "remark", label: "plan.remark", kind: "area", wide: true },
      ],
    },
    {
      title: "plan.sectionPrice",
      fields: [
        { name: "saleMode", label: "plan.saleMode", kind: "select", required: true, choices: codes("SaleMode", saleModeCodes) },
        { name: "maxBuyers", label: "plan.maxBuyers", kind: "integer", unit: "plan.buyers", required: true, when: isShared },
        ...sale.prices,
      ],
    },
    {
      title: "plan.sectionAmount",
      fields: [
        ...sale.amounts,
        { name: "exposureWeight", label: "plan.exposureWeight", kind: "integer", required: true, hint: "plan.exposureWeightHint" },
      ],
    },
    {
      title: "plan.sectionApplicant",
      fields: [
        ...sale.applicants,
        { name: "dedupDays", label: "plan.dedupDays", kind: "integer", unit: "channel.days", hint: "plan.dedupHint" },
      ],
    },
    {
      title: "plan.sectionTime",
      fields: [
        { name: "startsOn", label: "plan.startsOn", kind: "date" },
        { name: "endsOn", label: "plan.endsOn", kind: "date" },
        ...sale.hours,
      ],
    },
    { title: "plan.sectionChannel", fields: sale.channels },
    {
      title: "plan.sectionOwn",
      fields: [
        { name: "ownPriceLeastCents", label: "plan.ownPriceLeastInput", kind: "money", hint: "plan.ownHint" },
        { name: "ownPriceMostCents", label: "plan.ownPriceMostInput", kind: "money" },
        { name: "ownDayMost", label: "plan.ownDayMost", kind: "integer", hint: "plan.ownDayHint" },
        { name: "ownHours", label: "plan.ownHours", kind: "flag" },
        { name: "ownCities", label: "plan.ownCities", kind: "flag" },
        { name: "ownPause", label: "plan.ownPause", kind: "flag" },
      ],
    },
  ];
  return { sections, form: { schema, fields: sections.flatMap(({ fields }) => fields) } };
}

/** The values of the fields for a plan, with its requested terms, also after a conflict. */
export const withRequestedTerms = (row: PlanNow): PlanNow => (row.change ? { ...row, ...row.change } : row);
