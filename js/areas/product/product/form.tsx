/** The form of a product. A lazy chunk: it loads when one is created, copied or edited. */
import * as z from "zod/mini";

import type { ProductRow, SelectOption } from "../../../lib/api-types";
import { applyModeCodes, productCategoryCodes } from "../../../lib/codes";
import { api } from "../../../lib/api";
import type { Translate } from "../../../lib/i18n";
import { fieldLimits, productLimits } from "../../../lib/limits";
import { labelOf } from "../../../ui/field";
import type { Form } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import { termsField, termsRules } from "../../../ui/form-terms";
import type { Overlay } from "../../../ui/overlay";
import { citiesRule } from "../../../ui/place-rules";
import { citiesField } from "../../../ui/place-select";
import { newOrg } from "../../org/share";
import { leadsAway } from "./fields";

const CODE = /^[\w-]{2,}$/;
const URL_SHAPE = /^https?:\/\/\S+$/i;
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/** What a new product starts with. */
const blank = {
  code: "",
  name: "",
  orgId: null,
  logoFileId: null,
  category: "credit",
  applyMode: "jump",
  jumpUrl: null,
  minAmountCents: 100_000,
  maxAmountCents: 20_000_000,
  minTermMonths: 3,
  maxTermMonths: 36,
  annualRateMinBp: null,
  annualRateMaxBp: null,
  lenderName: "",
  tags: [],
  requirements: "",
  uvPriceCents: null,
  sort: 100,
  cities: [],
  ruleSet: null,
  onlineFrom: null,
  onlineTo: null,
  caps: [],
} as const;

interface ProductDialog {
  overlay: Overlay<ProductRow>;
  t: Translate;
  /** The active organisations. */
  orgs: readonly SelectOption[];
  /** The product to be edited; a new one without it. */
  row?: ProductRow | undefined;
  /** The product that a new one copies. */
  copied?: ProductRow | undefined;
  /** The organisation of a new one, if it is chosen. */
  orgId?: number;
}

function productForm(t: Translate, orgs: readonly SelectOption[], row: ProductRow | undefined) {
  const rule = rules(t);
  const terms = termsRules(t);
  const codes = (labels: string, all: readonly string[]) => all.map((value) => ({ value, label: labelOf(t, labels, value) }));
  // An organisation that is not offered any more stays a choice for this product.
  const stays = row && !orgs.some(({ value }) => value === row.orgId);
  const orgChoices = stays ? [...orgs, { value: row.orgId, label: row.orgName }] : orgs;
  const orderly = (
    low: "minAmountCents" | "minTermMonths" | "annualRateMinBp",
    high: "maxAmountCents" | "maxTermMonths" | "annualRateMaxBp",
  ) =>
    z.refine<Record<typeof low | typeof high, number>>((product) => product[low] <= product[high], {
      path: [high],
      error: t("product.notBelow"),
    });
  const schema = z
    .object({
      code: rule.text(productLimits.code, CODE, t("product.codeWrong")),
      name: rule.text(productLimits.name),
      orgId: rule.integer(1, Number.MAX_SAFE_INTEGER),
      category: rule.oneOf(productCategoryCodes),
      applyMode: rule.oneOf(applyModeCodes),
      jumpUrl: rule.optional(fieldLimits.address, URL_SHAPE, t("ui.rule.url")),
      logoFileId: rule.optionalId(),
      lenderName: rule.note(productLimits.lenderName),
      annualRateMinBp: rule.percent(),
      annualRateMaxBp: rule.percent(),
      minAmountCents: rule.money(productLimits.mostCents),
      maxAmountCents: rule.money(productLimits.mostCents),
      minTermMonths: rule.integer(1, productLimits.mostMonths),
      maxTermMonths: rule.integer(1, productLimits.mostMonths),
      uvPriceCents: rule.money(productLimits.mostPriceCents),
      sort: rule.integer(0, productLimits.mostSort),
      tags: rule.lines(productLimits.mostTags, new RegExp(`^.{1,${productLimits.tag}}$`, "u"), (line) =>
        t("ui.rule.lineTooLong", { max: productLimits.tag, line: `${line.slice(0, 20)}…` }),
      ),
      requirements: rule.note(productLimits.requirements),
      cities: citiesRule(t, productLimits.mostCities),
      onlineFrom: rule.optional(5, TIME),
      onlineTo: rule.optional(5, TIME),
      caps: terms.caps(),
      ruleSet: terms.rules("visitor"),
    })
    .check(
      z.refine((product) => !leadsAway(product) || product.jumpUrl !== null, { path: ["jumpUrl"], error: t("ui.rule.required") }),
      orderly("annualRateMinBp", "annualRateMaxBp"),
      orderly("minAmountCents", "maxAmountCents"),
      orderly("minTermMonths", "maxTermMonths"),
      z.refine(({ onlineFrom, onlineTo }) => onlineFrom === null || onlineTo !== null, {
        path: ["onlineTo"],
        error: t("product.bothEnds"),
      }),
      z.refine(({ onlineFrom, onlineTo }) => onlineTo === null || onlineFrom !== null, {
        path: ["onlineFrom"],
        error: t("product.bothEnds"),
      }),
      z.refine(({ onlineFrom, onlineTo }) => onlineFrom === null || onlineFrom !== onlineTo, {
        path: ["onlineTo"],
        error: t("product.sameEnds"),
      }),
    );
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      {
        name: "code",
        label: "product.code",
        kind: "text",
        required: true,
        fixed: Boolean(row),
        hint: row ? undefined : "product.codeHint",
      },
      { name: "name", label: "product.name", kind: "text", required: true },
      {
        name: "orgId",
        label: "product.org",
        kind: "select",
        required: true,
        empty: "product.choose",
        choices: orgChoices,
        hint: "product.orgHint",
        create: newOrg,
      },
      { name: "lenderName", label: "product.lender", kind: "text", hint: "product.lenderHint" },
      {
        name: "category",
        label: "product.category",
        kind: "select",
        required: true,
        choices: codes("ProductCategory", productCategoryCodes),
      },
      {
        name: "applyMode",
        label: "product.applyMode",
        kind: "select",
        required: true,
        choices: codes("ApplyMode", applyModeCodes),
        hint: "product.applyModeHint",
      },
      {
        name: "jumpUrl",
        label: "product.jumpUrl",
        kind: "text",
        type: "url",
        required: true,
        wide: true,
        placeholder: "https://",
        when: leadsAway,
      },
      { name: "annualRateMinBp", label: "product.rateMin", kind: "percent", hint: "product.rateHint" },
      { name: "annualRateMaxBp", label: "product.rateMax", kind: "percent" },
      { name: "minAmountCents", label: "product.amountMinInput", kind: "money", required: true },
      { name: "maxAmountCents", label: "product.amountMaxInput", kind: "money", required: true },
      { name: "minTermMonths", label: "product.termMinInput", kind: "integer", unit: "product.months", required: true },
      { name: "maxTermMonths", label: "product.termMaxInput", kind: "integer", unit: "product.months", required: true },
      { name: "uvPriceCents", label: "product.uvPriceInput", kind: "money", required: true },
      { name: "sort", label: "product.sort", kind: "integer", required: true, hint: "product.sortHint" },
      { name: "logoFileId", label: "product.logo", kind: "picture", bizType: "product_logo", wide: true },
      { name: "tags", label: "product.tags", kind: "lines", hint: "product.tagsHint" },
      citiesField(t, { name: "cities", label: "product.cities", wide: true, hint: "product.citiesHint" }),
      { name: "requirements", label: "product.requirements", kind: "area", wide: true, hint: "product.requirementsHint" },
      { name: "onlineFrom", label: "product.windowFrom", kind: "time", hint: "product.windowHint" },
      { name: "onlineTo", label: "product.windowTo", kind: "time" },
      { name: "caps", label: "product.caps", ...termsField.caps, wide: true, hint: "product.capsHint" },
      { name: "ruleSet", label: "product.ruleSet", ...termsField.visitorRules, wide: true, hint: "product.ruleSetHint" },
    ],
  };
  return form;
}

/** The first values of a copy: all but the code and, if it is not active, the organisation. */
function copyOf(t: Translate, copied: ProductRow, orgs: readonly SelectOption[]) {
  const { id: _id, version: _version, status: _status, ...fields } = copied;
  const orgId = orgs.some(({ value }) => value === copied.orgId) ? copied.orgId : null;
  return { ...fields, orgId, code: "", name: t("product.copyName", { name: copied.name }).slice(0, productLimits.name) };
}

/** The dialog of a product; it closes with the product as it was saved. */
export function productDialog({ overlay, t, orgs, row, copied, orgId }: ProductDialog) {
  return (
    <FormDialog
      overlay={overlay}
      title={t(row ? "product.edit" : "product.create")}
      draft={copied ? `product.copy ${copied.id}` : "product"}
      form={productForm(t, orgs, row)}
      record={row ?? (copied ? copyOf(t, copied, orgs) : { ...blank, ...(orgId === undefined ? {} : { orgId }) })}
      save={(values, record) => {
        // A product without a link has no address.
        const body = { ...values, jumpUrl: leadsAway(values) ? values.jumpUrl : null };
        return "id" in record && "version" in record
          ? api.put<ProductRow>("/product", { ...body, id: record.id, version: record.version })
          : api.post<ProductRow>("/product", body);
      }}
    />
  );
}
