/** A project's fields, its filters and its enumerations, for list, profile and history alike. */
import type { ProjectRow } from "../../../lib/api-types";
import { partnerTypeCodes, projectStageCodes, projectStatusCodes } from "../../../lib/codes";
import { EMPTY, money, percent } from "../../../lib/format";
import { placeText } from "../../../lib/places";
import type { Field } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";
import { isByUnit, profileOf, statusColors } from "./status";

/** The fields of a project's form, in its order. */
export const contentFields: readonly Field<ProjectRow>[] = [
  { key: "partnerType", title: "project.partnerType", kind: "enum", labels: "PartnerType" },
  { key: "city", title: "project.city", words: placeText, list: "hidden" },
  { key: "licenceNo", title: "project.licenceNo", kind: "code", copy: true, list: "hidden" },
  { key: "contactName", title: "project.contactName", list: "hidden" },
  { key: "contactPhoneMask", title: "project.contactPhone", kind: "code", list: "hidden" },
  { key: "contactEmail", title: "project.contactEmail", copy: true, list: "hidden" },
  { key: "settleMode", title: "project.settleMode", kind: "enum", labels: "SettleMode", list: "hidden" },
  {
    key: "unitPriceCents",
    title: "project.unitPrice",
    kind: "money",
    list: "hidden",
    show: (row) => (isByUnit(row) ? money(row.unitPriceCents) : EMPTY),
  },
  {
    key: "shareBp",
    title: "project.share",
    kind: "basisPoints",
    list: "hidden",
    show: ({ settleMode, shareBp }) => (settleMode === "share" ? percent(shareBp) : EMPTY),
  },
  { key: "dailyVolume", title: "project.dailyVolume", kind: "count", sort: true, list: "hidden" },
  { key: "startDate", title: "project.startDate", sort: true, list: "hidden" },
  { key: "landingUrl", title: "project.landingUrl", kind: "url", copy: true, list: "hidden" },
  { key: "callbackUrl", title: "project.callbackUrl", kind: "url", copy: true, list: "hidden" },
  { key: "ipAllow", title: "project.ipAllow", kind: "lines", copy: true, list: "hidden" },
  { key: "remark", title: "project.remark", list: "hidden" },
];

export const projectFields: readonly Field<ProjectRow>[] = [
  {
    key: "name",
    title: "project.name",
    sort: true,
    show: ({ id, name }, t) => (
      <a className="ll-link" href={profileOf(id)}>
        {name || t("project.unnamed")}
      </a>
    ),
  },
  { key: "no", title: "project.no", kind: "code" },
  { key: "status", title: "project.status", kind: "enum", labels: "ProjectStatus", sort: true, colors: statusColors },
  { key: "stage", title: "project.stage", kind: "enum", labels: "ProjectStage" },
  { key: "applicantName", title: "project.applicant" },
  ...contentFields,
  { key: "submittedAt", title: "project.submittedAt", kind: "time" },
  { key: "launchedAt", title: "project.launchedAt", kind: "time", list: "hidden" },
  { key: "createdAt", title: "project.createdAt", kind: "time", sort: true, list: "hidden" },
  { key: "updatedAt", title: "project.updatedAt", kind: "time", sort: true, list: "hidden" },
];

export const projectFilters: readonly Filter[] = [
  { name: "keyword", label: "project.keyword", kind: "text", placeholder: "project.keywordHint" },
  { name: "status", label: "project.status", kind: "select", options: { codes: projectStatusCodes, labels: "ProjectStatus" } },
  { name: "partnerType", label: "project.partnerType", kind: "select", options: { codes: partnerTypeCodes, labels: "PartnerType" } },
  { name: "stage", label: "project.stage", kind: "select", options: { codes: projectStageCodes, labels: "ProjectStage" } },
  { name: "applicantAdminId", label: "project.applicant", kind: "select", options: { load: "applicants" } },
  { name: "created", label: "project.createdAt", kind: "days" },
];
