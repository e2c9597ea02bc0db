/** A product's fields, its filters and its enumerations, for list, detail and history alike. */
import type { ProductRow } from "../../../lib/api-types";
import { applyModeCodes, productCategoryCodes, productStatusCodes } from "../../../lib/codes";
import { EMPTY, money, percent } from "../../../lib/format";
import { placeText } from "../../../lib/places";
import { type Field, toOrg } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";
import { cityFilter } from "../../../ui/place-select";

/** Whether this way of applying leads to an address. */
export const leadsAway = ({ applyMode }: { applyMode?: unknown }) => applyMode === "jump" || applyMode === "download";

/** A range as text; if both ends are the same, one value. */
const range = (from: string, to: string) => (from === to ? to : `${from}–${to}`);
/** Amounts of loans are nearly always whole yuan. */
const yuan = (fen: number) => money(fen).replace(/\.00$/, "");

export const productFields: readonly Field<ProductRow>[] = [
  {
    key: "name",
    title: "product.name",
    sort: true,
    show: ({ name, logoFileId }) =>
      logoFileId === null ? (
        name
      ) : (
        <span className="prod-name">
          <img src={`/files/${logoFileId}`} alt="" width="20" height="20" loading="lazy" />
          {name}
        </span>
      ),
  },
  { key: "code", title: "product.code", kind: "code", sort: true, copy: true },
  { key: "orgName", title: "product.org", link: toOrg },
  { key: "category", title: "product.category", kind: "enum", labels: "ProductCategory" },
  {
    key: "status",
    title: "product.status",
    kind: "enum",
    labels: "ProductStatus",
    sort: true,
    colors: { draft: "blue", online: "green", offline: "orange", archived: "gray" },
  },
  { key: "applyMode", title: "product.applyMode", kind: "enum", labels: "ApplyMode", list: "hidden" },
  { key: "uvPriceCents", title: "product.uvPrice", kind: "money", sort: true, list: "hidden" },
  { key: "annualRateMinBp", title: "product.rateMin", kind: "basisPoints", list: "hidden", detail: false },
  {
    key: "annualRateMaxBp",
    title: "product.rate",
    heading: "product.rateMax",
    kind: "basisPoints",
    sort: true,
    show: ({ annualRateMinBp, annualRateMaxBp }) =>
      annualRateMaxBp === 0 ? EMPTY : range(percent(annualRateMinBp), percent(annualRateMaxBp)),
  },
  { key: "minAmountCents", title: "product.amountMin", kind: "money", list: "hidden", detail: false },
  {
    key: "maxAmountCents",
    title: "product.amount",
    heading: "product.amountMax",
    kind: "money",
    show: ({ minAmountCents, maxAmountCents }) => range(yuan(minAmountCents), yuan(maxAmountCents)),
  },
  { key: "minTermMonths", title: "product.termMin", kind: "count", list: "hidden", detail: false },
  {
    key: "maxTermMonths",
    title: "product.term",
    list: "hidden",
    heading: "product.termMax",
    kind: "count",
    show: ({ minTermMonths, maxTermMonths }) => range(String(minTermMonths), String(maxTermMonths)),
  },
  { key: "lenderName", title: "product.lender", list: "hidden" },
  { key: "sort", title: "product.sort", kind: "count", sort: true, list: "hidden" },
  { key: "tags", title: "product.tags", kind: "lines", list: "hidden" },
  { key: "requirements", title: "product.requirements", list: "hidden" },
  { key: "jumpUrl", title: "product.jumpUrl", kind: "url", copy: true, list: "hidden" },
  { key: "cities", title: "product.cities", list: "hidden", words: (cities, t) => placeText(cities, t) || t("product.anywhere") },
  {
    key: "onlineFrom",
    title: "product.window",
    heading: "product.windowFrom",
    list: "hidden",
    show: ({ onlineFrom, onlineTo }, t) => (onlineFrom && onlineTo ? `${onlineFrom}–${onlineTo}` : t("product.wholeDay")),
  },
  { key: "onlineTo", title: "product.windowTo", list: "hidden", detail: false },
  { key: "caps", title: "product.caps", kind: "caps", list: "never" },
  { key: "ruleSet", title: "product.ruleSet", kind: "rules", list: "never" },
  {
    key: "logoFileName",
    title: "product.logo",
    list: "hidden",
    show: ({ logoFileId, logoFileName }) =>
      logoFileId === null ? (
        EMPTY
      ) : (
        <a className="ll-link" href={`/files/${logoFileId}`} target="_blank" rel="noreferrer">
          {logoFileName}
        </a>
      ),
  },
  { key: "createdAt", title: "product.createdAt", kind: "time", sort: true, list: "hidden" },
  { key: "updatedAt", title: "product.updatedAt", kind: "time", sort: true, list: "hidden" },
];

export const productFilters: readonly Filter[] = [
  { name: "keyword", label: "product.keyword", kind: "text", placeholder: "product.keywordHint" },
  { name: "status", label: "product.status", kind: "select", options: { codes: productStatusCodes, labels: "ProductStatus" } },
  { name: "orgId", label: "product.org", kind: "select", options: { load: "orgs", search: "/org/options" } },
  { name: "category", label: "product.category", kind: "select", options: { codes: productCategoryCodes, labels: "ProductCategory" } },
  { name: "applyMode", label: "product.applyMode", kind: "select", options: { codes: applyModeCodes, labels: "ApplyMode" } },
  { name: "city", label: "product.city", kind: "select", options: { local: cityFilter } },
  { name: "created", label: "product.createdAt", kind: "days" },
];
