/** An organisation's fields, its filters and its enumerations, for list, detail and history alike. */
import type { OrgApi, OrgKey, OrgNow, OrgRow, OrgSigning, SelectOption } from "../../../lib/api-types";
import { billModeCodes, orgModeCodes, orgStatusCodes, orgTypeCodes } from "../../../lib/codes";
import { EMPTY, minute, money, percent } from "../../../lib/format";
import type { Translate } from "../../../lib/i18n";
import { placeText } from "../../../lib/places";
import type { FieldTitles } from "../../../ui/changes";
import { type Field, toPayee } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";
import { cityFilter } from "../../../ui/place-select";
import { changeReviewers } from "../../../ui/proposal-actions";
import { linesOfFields, linesOfValues } from "./maps";

/** What the form chooses from. */
export interface OrgChoices {
  owners: readonly SelectOption[];
  payees: readonly SelectOption[];
}

const toOwner = { page: "/admin/list/", id: "ownerAdminId", point: "admin/list/view" } as const;

export const orgFields: readonly Field<OrgRow>[] = [
  { key: "name", title: "org.name", sort: true },
  { key: "code", title: "org.code", kind: "code", sort: true, copy: true },
  { key: "shortName", title: "org.shortName", list: "hidden" },
  { key: "type", title: "org.type", kind: "enum", labels: "OrgType" },
  {
    key: "status",
    title: "org.status",
    kind: "enum",
    labels: "OrgStatus",
    sort: true,
    colors: { pending: "blue", active: "green", paused: "orange", terminated: "gray" },
  },
  { key: "mode", title: "org.mode", kind: "enum", labels: "OrgMode", colors: { live: "blue", test: "purple" } },
  { key: "billMode", title: "org.billMode", kind: "enum", labels: "BillMode", list: "hidden" },
  {
    key: "creditLimitCents",
    title: "org.creditLimit",
    kind: "money",
    list: "hidden",
    sort: true,
    total: true,
    show: ({ billMode, creditLimitCents }) => (billMode === "credit" ? money(creditLimitCents) : EMPTY),
  },
  {
    key: "lowBalanceCents",
    title: "org.lowBalance",
    kind: "money",
    list: "hidden",
    show: ({ lowBalanceCents }, t) => (lowBalanceCents > 0 ? money(lowBalanceCents) : t("org.general")),
  },
  { key: "alertPhones", title: "org.alertPhones", kind: "lines", list: "hidden" },
  { key: "licenceNo", title: "org.licenceNo", kind: "code", copy: true, list: "hidden" },
  { key: "licenceExpireOn", title: "org.licenceExpireOn", sort: true, list: "hidden" },
  {
    key: "licenceFileName",
    title: "org.licenceFile",
    list: "hidden",
    show: ({ licenceFileId, licenceFileName }) =>
      licenceFileId === null ? (
        EMPTY
      ) : (
        <a className="ll-link" href={`/files/${licenceFileId}`} target="_blank" rel="noreferrer">
          {licenceFileName}
        </a>
      ),
  },
  { key: "contactName", title: "org.contactName", list: "hidden" },
  { key: "contactPhoneMask", title: "org.contactPhone", kind: "code", list: "hidden" },
  { key: "province", title: "org.province", words: placeText, list: "hidden" },
  { key: "city", title: "org.city", words: placeText, list: "hidden" },
  { key: "address", title: "org.address", list: "hidden" },
  { key: "returnAllowed", title: "org.returnAllowed", kind: "flag", list: "hidden" },
  {
    key: "returnMaxDays",
    title: "org.returnMaxDays",
    kind: "count",
    list: "hidden",
    show: ({ returnAllowed, returnMaxDays }) => (returnAllowed ? returnMaxDays : EMPTY),
  },
  {
    key: "returnMaxBp",
    title: "org.returnMaxBp",
    kind: "basisPoints",
    list: "hidden",
    show: ({ returnAllowed, returnMaxBp }) => (returnAllowed ? percent(returnMaxBp) : EMPTY),
  },
  { key: "returnAuto", title: "org.returnAuto", kind: "flag", list: "hidden" },
  { key: "decision", title: "proposal.column", list: "hidden", file: false, show: ({ decision }, t) => changeReviewers(decision, t) },
  { key: "payeeOrgName", title: "org.payee", list: "hidden", link: toPayee },
  { key: "ownerName", title: "org.owner", link: toOwner, list: "hidden" },
  { key: "createdAt", title: "org.createdAt", kind: "time", sort: true, list: "hidden" },
  { key: "updatedAt", title: "org.updatedAt", kind: "time", sort: true, list: "hidden" },
];

const balanceFields: readonly Field<OrgNow>[] = [
  { key: "balanceCents", title: "account.balanceCents", kind: "money", total: true, file: false },
  { key: "availableCents", title: "account.availableCents", kind: "money", total: true, file: false },
];

/** The columns of the list for viewers who see accounts. */
export const fieldsWithBalances: readonly Field<OrgNow>[] = orgFields.flatMap((field): readonly Field<OrgNow>[] =>
  field.key === "creditLimitCents" ? [...balanceFields, field] : [field],
);

/** The terms, which take effect when a second person has approved them. */
export const termsFields = (["billMode", "creditLimitCents", "returnAllowed", "returnMaxDays", "returnMaxBp", "returnAuto"] as const).map(
  (key) => orgFields.find((field) => field.key === key)!,
);

export const orgFilters: readonly Filter[] = [
  { name: "keyword", label: "org.keyword", kind: "text", placeholder: "org.keywordHint" },
  { name: "status", label: "org.status", kind: "select", options: { codes: orgStatusCodes, labels: "OrgStatus" } },
  { name: "type", label: "org.type", kind: "select", options: { codes: orgTypeCodes, labels: "OrgType" } },
  { name: "ownerAdminId", label: "org.owner", kind: "select", options: { load: "owners" } },
  { name: "city", label: "org.city", kind: "select", options: { local: cityFilter } },
  { name: "billMode", label: "org.billMode", kind: "select", options: { codes: billModeCodes, labels: "BillMode" } },
  { name: "mode", label: "org.mode", kind: "select", options: { codes: orgModeCodes, labels: "OrgMode" } },
  { name: "payeeOrgId", label: "org.payee", kind: "select", options: { load: "payees" } },
  { name: "licence", label: "org.licenceExpireOn", kind: "days" },
  { name: "awaits", label: "org.awaits", kind: "select", options: { codes: ["terms", "delivery"], labels: "org.awaits" } },
  { name: "created", label: "org.createdAt", kind: "days" },
];

/** A key, and how long it is accepted; for proposed settings, after the approval. */
function keyText({ fingerprint, addedAt, validUntil, isProposed, overlapHours }: OrgKey, t: Translate): string {
  if (isProposed) return t("org.api.keyProposed", { fingerprint });
  if (overlapHours !== null)
    return overlapHours === 0 ? t("org.api.keyEnds", { fingerprint }) : t("org.api.keyStays", { fingerprint, hours: overlapHours });
  const from = minute(addedAt);
  return validUntil === null
    ? t("org.api.keyNow", { fingerprint, from })
    : t("org.api.keyUntil", { fingerprint, from, at: minute(validUntil) });
}

/** How leads reach an organisation, as it is shown. */
export const deliveryFields: readonly Field<OrgApi>[] = [
  { key: "status", title: "org.api.status", kind: "enum", labels: "DeliveryStatus", colors: { enabled: "green" } },
  { key: "matchUrl", title: "org.api.matchUrl", kind: "code", copy: true },
  { key: "applyUrl", title: "org.api.applyUrl", kind: "code", copy: true },
  { key: "queryUrl", title: "org.api.queryUrl", kind: "code", copy: true },
  { key: "crypto", title: "org.api.crypto", kind: "enum", labels: "OrgCrypto" },
  {
    key: "keys",
    title: "org.api.keys",
    before: false,
    show: ({ keys }, t) => keys.map((key) => keyText(key, t)).join(t("ui.comma")) || EMPTY,
  },
  { key: "fieldMap", title: "org.api.fieldMap", show: ({ fieldMap }) => linesOfFields(fieldMap).join("\n") || EMPTY },
  { key: "valueMap", title: "org.api.valueMap", show: ({ valueMap }) => linesOfValues(valueMap).join("\n") || EMPTY },
  { key: "matchOkExpr", title: "org.api.matchOkExpr", kind: "code" },
  { key: "applyOkExpr", title: "org.api.applyOkExpr", kind: "code" },
  { key: "queryOkExpr", title: "org.api.queryOkExpr", kind: "code" },
  { key: "queryNoneExpr", title: "org.api.queryNoneExpr", kind: "code" },
  { key: "knownExpr", title: "org.api.knownExpr", kind: "code" },
  { key: "timeoutMs", title: "org.api.timeoutMs", kind: "count" },
  { key: "retryMax", title: "org.api.retryMax", kind: "count" },
];

/** The key with which an organisation signs its calls, as it is shown. */
export const signingFields: readonly Field<OrgSigning>[] = [
  { key: "appKey", title: "org.sign.appKey", kind: "code", copy: true },
  { key: "updatedAt", title: "org.sign.updatedAt", kind: "time" },
  { key: "oldSecretUntil", title: "org.sign.oldSecretUntil", kind: "time" },
];

/** Titles of keys that are in an organisation's history and not in its row. */
export const orgTitles: FieldTitles = {
  contactPhone: "org.contactPhone",
  reviewNote: "proposal.note",
  "api.key": "org.api.key",
  "api.test": "org.api.test",
  "api.appSecret": "org.sign.appSecret",
  "api.oldSecretUntil": "org.sign.oldSecretUntil",
  "api.reviewNote": "proposal.note",
  ...Object.fromEntries(deliveryFields.map(({ key, title }) => [`api.${key}`, title])),
};
