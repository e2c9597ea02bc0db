/** An applicant's fields, filters and enumerations, for list, story and history alike. */
import type { ListedUser, UserRow } from "../../../lib/api-types";
import { consentStateCodes, invalidReasonCodes, passedOverCodes, userStatusCodes } from "../../../lib/codes";
import { EMPTY } from "../../../lib/format";
import { localeOf, type Translate } from "../../../lib/i18n";
import { placeText } from "../../../lib/places";
import { applicantField, applicantFields, sentence } from "../../../lib/terms-table";
import { type Field, toChannel, toProduct } from "../../../ui/field";
import type { Filter, LocalChoices } from "../../../ui/list-filter";
import { cityFilterWithUnknown } from "../../../ui/place-select";
import { EnumTag, Tag, type TagColors } from "../../../ui/tag";
import { testTag, withTestTag } from "../../../ui/test-tag";
import { starColors, userStars } from "../../../ui/stars";

export const userStatusColors = {
  registered: "purple",
  completed: "blue",
  matching: "blue",
  distributed: "green",
  unmatched: "orange",
  duplicate: "gray",
  blocked: "red",
  invalid: "red",
  erased: "gray",
} as const satisfies TagColors;

export const userFields: readonly Field<UserRow>[] = [
  { key: "no", title: "user.no", kind: "code", copy: true },
  { key: "nameMask", title: "user.name", show: ({ nameMask, test }, t) => withTestTag(nameMask, test, t) },
  { key: "phoneMask", title: "user.phone", kind: "code" },
  {
    key: "status",
    title: "user.status",
    kind: "enum",
    labels: "UserStatus",
    colors: userStatusColors,
    show: ({ status, consentWithdrawnAt }, t) => (
      <>
        <EnumTag labels="UserStatus" value={status} colors={userStatusColors} />
        {consentWithdrawnAt !== null && (
          <>
            {" "}
            <Tag color="red">{t("user.withdrawn")}</Tag>
          </>
        )}
      </>
    ),
  },
  { key: "idNoMask", title: "user.idNo", kind: "code", list: "hidden" },
  { key: "age", title: "user.age", kind: "count", sort: true, list: "hidden" },
  { key: "sex", title: "user.sex", kind: "enum", labels: "user.sex", list: "hidden" },
  { key: "province", title: "user.province", words: placeText, list: "hidden" },
  { key: "city", title: "user.city", words: placeText, list: "hidden" },
  { key: "amountCents", title: "user.amount", kind: "money", sort: true, list: "hidden" },
  { key: "star", title: "user.star", kind: "enum", labels: "user.star", colors: starColors, list: "hidden" },
  { key: "channelName", title: "user.channel", short: true, link: toChannel },
  { key: "productName", title: "user.product", list: "hidden", link: toProduct },
  { key: "system", title: "user.system", kind: "enum", labels: "uv.system", list: "hidden" },
  { key: "reason", title: "user.reason", kind: "enum", labels: "UserCheck" },
  { key: "invalidReason", title: "user.invalidReason", kind: "enum", labels: "InvalidReason", list: "hidden" },
  { key: "consentWithdrawnAt", title: "user.consentWithdrawnAt", kind: "time", list: "hidden" },
  { key: "rounds", title: "user.rounds", kind: "count", list: "hidden" },
  { key: "test", title: "user.test", kind: "flag", show: ({ test }, t) => testTag(test, t), list: "hidden" },
  { key: "createdAt", title: "user.createdAt", kind: "time", sort: true },
  { key: "updatedAt", title: "user.updatedAt", kind: "time", sort: true, list: "hidden" },
];

/** What the history of an applicant shows besides: edits, the order of another round, and risk reports. */
interface Told {
  editedName: string;
  editedProvince: string;
  editedFacts: string;
  distribute: string;
  invalidNote: string;
  consentNote: string;
  riskProvider: string;
  riskStatus: string;
  riskCostCents: number;
}

export const userHistoryFields: readonly Field<UserRow & Told>[] = [
  ...userFields,
  { key: "editedName", title: "user.editedName" },
  { key: "editedProvince", title: "user.editedProvince" },
  { key: "editedFacts", title: "user.editedFacts" },
  { key: "distribute", title: "user.distribute", kind: "enum", labels: "user.distribute" },
  { key: "invalidNote", title: "user.invalidNote" },
  { key: "consentNote", title: "user.withdrawNote" },
  { key: "riskProvider", title: "user.riskProvider", kind: "enum", labels: "user.riskProvider" },
  { key: "riskStatus", title: "user.riskStatus", kind: "enum", labels: "user.riskStatus" },
  { key: "riskCostCents", title: "user.riskCost", kind: "money" },
];

export const userFilters: readonly Filter[] = [
  { name: "keyword", label: "user.keyword", kind: "text", placeholder: "user.keywordHint" },
  { name: "status", label: "user.status", kind: "select", options: { codes: userStatusCodes, labels: "UserStatus" } },
  { name: "channelId", label: "user.channel", kind: "select", options: { load: "channels", search: "/channel/options" } },
  { name: "productId", label: "user.product", kind: "select", options: { load: "products", search: "/product/options" } },
  { name: "agreementId", label: "user.agreement", kind: "select", options: { load: "agreements", search: "/agreement/options" } },
  { name: "consent", label: "user.consent", kind: "select", options: { codes: consentStateCodes, labels: "ConsentState" } },
  { name: "buyerId", label: "user.buyer", kind: "select", options: { load: "orgs", search: "/org/options" } },
  { name: "city", label: "user.city", kind: "select", options: { local: cityFilterWithUnknown } },
  { name: "sex", label: "user.sex", kind: "select", options: { codes: ["male", "female", "unknown"], labels: "user.sex" } },
  { name: "age", label: "user.age", kind: "range" },
  { name: "amount", label: "user.amount", kind: "range" },
  { name: "star", label: "user.star", kind: "select", options: { codes: userStars, labels: "user.star" } },
  { name: "test", label: "user.test", kind: "select", options: { codes: ["no", "yes"], labels: "user.test" } },
  { name: "invalidReason", label: "user.invalidReason", kind: "select", options: { codes: invalidReasonCodes, labels: "InvalidReason" } },
  { name: "failing", label: "user.failing", kind: "select", options: { codes: ["no", "yes"], labels: "user.failing" } },
  { name: "created", label: "user.createdAt", kind: "days" },
];

const mainReason: Field<ListedUser> = {
  key: "mainReason",
  title: "user.mainReason",
  kind: "enum",
  labels: "PassedOver",
  short: true,
  show: ({ mainReason, mainCondition }, t) => {
    if (mainReason === null) return EMPTY;
    const reason = t(`PassedOver.${mainReason}`);
    return mainCondition === null ? reason : t("user.mainReasonOf", { reason, field: titleOf(mainCondition, t) });
  },
};

/** The title of a field of applicants. */
const titleOf = (name: string, t: Translate) => sentence(applicantField(name)?.title[localeOf(t)] ?? name);

const conditions = (t: Translate) => applicantFields.map(({ name }) => ({ value: name, label: titleOf(name, t) }));

/** The fields of applicants, which conditions of plans ask for. */
const conditionChoices: LocalChoices = {
  choices: conditions,
  search: (keyword, t) => conditions(t).filter(({ label }) => label.toLowerCase().includes(keyword.toLowerCase())),
};

/** The list's fields for viewers who see matches: with what the last round found. */
export const fieldsWithReason: readonly Field<ListedUser>[] = userFields.flatMap((field) =>
  field.key === "reason" ? [{ ...field, list: "hidden" as const }, mainReason] : [field],
);

/** The list's filters for the same. */
export const filtersWithReason: readonly Filter[] = userFilters.flatMap((filter) =>
  filter.name === "status"
    ? [filter, { name: "mainReason", label: "user.mainReason", kind: "select", options: { codes: passedOverCodes, labels: "PassedOver" } }]
    : filter.name === "invalidReason"
      ? [{ name: "mainCondition", label: "user.mainCondition", kind: "select", options: { local: conditionChoices } }, filter]
      : [filter],
);
