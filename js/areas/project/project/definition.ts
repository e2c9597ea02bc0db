/** The form of a project: its sections and their checks. */
import * as z from "zod/mini";

import type { ProjectRow } from "../../../lib/api-types";
import { partnerTypeCodes, settleModeCodes } from "../../../lib/codes";
import type { Translate } from "../../../lib/i18n";
import { channelLimits, fieldLimits, projectLimits } from "../../../lib/limits";
import { labelOf } from "../../../ui/field";
import type { FormSection, Inputs } from "../../../ui/form";
import { rules } from "../../../ui/form-rules";
import { cityField } from "../../../ui/place-select";
import { isByUnit } from "./status";

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const LICENCE = /^[a-z\d]{18}$/i;
const URL_SHAPE = /^https?:\/\/\S+$/i;
/** An IPv4 or IPv6 address, with or without a prefix length; the server checks it in earnest. */
const IP = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]*:[0-9a-f:.]+)(?:\/\d{1,3})?$/i;

/** The record of the form: a project, or the values that a new one starts with. */
export type Written = Partial<ProjectRow>;

/** What a new project starts with. */
export const blank: Written = { partnerType: "channel", settleMode: "registered" };

/** Inputs that a draft keeps as they are, valid or not. */
const TEXTS = ["name", "city", "licenceNo", "contactName", "contactEmail", "landingUrl", "callbackUrl", "remark"] as const;

export function projectForm(t: Translate, stored: Written) {
  const rule = rules(t);
  const hasPhone = Boolean(stored.contactPhoneMask);
  const choices = (labels: string, codes: readonly string[]) => codes.map((value) => ({ value, label: labelOf(t, labels, value) }));
  const fields = z.object({
    partnerType: rule.oneOf(partnerTypeCodes),
    name: rule.text(projectLimits.name),
    city: rule.text(32),
    licenceNo: rule.text(projectLimits.licenceNo, LICENCE, t("project.licenceWrong")),
    contactName: rule.text(projectLimits.contactName),
    contactPhone: hasPhone ? rule.optionalPhone() : rule.phone(),
    contactEmail: rule.optional(fieldLimits.email, EMAIL, t("ui.rule.email")),
    settleMode: rule.oneOf(settleModeCodes),
    unitPriceCents: rule.money(channelLimits.mostCents),
    shareBp: rule.percent(),
    dailyVolume: rule.integer(1, projectLimits.mostLeads),
    startDate: rule.day(t("project.datePast")),
    landingUrl: rule.optional(fieldLimits.address, URL_SHAPE, t("ui.rule.url")),
    callbackUrl: rule.optional(fieldLimits.address, URL_SHAPE, t("ui.rule.url")),
    ipAllow: rule.lines(channelLimits.mostAddresses, IP, (line) => t("ui.rule.ip", { line })),
    remark: rule.note(projectLimits.remark),
  });
  const schema = fields.check(
    z.refine((project) => !isByUnit(project) || project.unitPriceCents > 0, { path: ["unitPriceCents"], error: t("project.priceNeeded") }),
    z.refine(({ settleMode, shareBp }) => settleMode !== "share" || shareBp > 0, { path: ["shareBp"], error: t("project.shareNeeded") }),
    z.refine(({ partnerType, landingUrl }) => partnerType !== "channel" || landingUrl !== null, {
      path: ["landingUrl"],
      error: t("project.landingNeeded"),
    }),
    z.refine(({ partnerType, callbackUrl }) => partnerType !== "organisation" || callbackUrl !== null, {
      path: ["callbackUrl"],
      error: t("project.callbackNeeded"),
    }),
  );

  const sections: readonly FormSection[] = [
    {
      title: "project.sectionPartner",
      fields: [
        {
          name: "partnerType",
          label: "project.partnerType",
          kind: "select",
          required: true,
          choices: choices("PartnerType", partnerTypeCodes),
        },
        { name: "name", label: "project.name", kind: "text", required: true },
        cityField(t, { name: "city", label: "project.city", required: true }),
        { name: "licenceNo", label: "project.licenceNo", kind: "text", written: "code", required: true, hint: "project.licenceHint" },
      ],
    },
    {
      title: "project.sectionContact",
      fields: [
        { name: "contactName", label: "project.contactName", kind: "text", required: true },
        {
          name: "contactPhone",
          label: "project.contactPhone",
          kind: "text",
          type: "tel",
          required: !hasPhone,
          placeholder: stored.contactPhoneMask ?? undefined,
          hint: hasPhone ? "project.phoneKeep" : undefined,
        },
        { name: "contactEmail", label: "project.contactEmail", kind: "text", type: "email" },
      ],
    },
    {
      title: "project.sectionTerms",
      fields: [
        {
          name: "settleMode",
          label: "project.settleMode",
          kind: "select",
          required: true,
          choices: choices("SettleMode", settleModeCodes),
        },
        { name: "unitPriceCents", label: "project.unitPriceInput", kind: "money", required: true, when: isByUnit },
        { name: "shareBp", label: "project.share", kind: "percent", required: true, when: ({ settleMode }) => settleMode === "share" },
        { name: "dailyVolume", label: "project.dailyVolume", kind: "integer", required: true, unit: "project.leads" },
        { name: "startDate", label: "project.startDate", kind: "date", required: true },
      ],
    },
    {
      title: "project.sectionTechnical",
      fields: [
        { name: "landingUrl", label: "project.landingUrl", kind: "text", type: "url", wide: true, placeholder: "https://" },
        {
          name: "callbackUrl",
          label: "project.callbackUrl",
          kind: "text",
          type: "url",
          wide: true,
          placeholder: "https://",
          hint: "project.callbackHint",
        },
        { name: "ipAllow", label: "project.ipAllow", kind: "lines", wide: true, hint: "project.ipAllowHint" },
      ],
    },
    { title: "project.sectionRemark", fields: [{ name: "remark", label: "project.remark", kind: "area", wide: true }] },
  ];

  /** The inputs that a draft keeps: texts as they are, and the others if they are valid. */
  const draftOf = (inputs: Inputs): Record<string, unknown> => {
    const kept: Record<string, unknown> = Object.fromEntries(TEXTS.map((name) => [name, String(inputs[name] ?? "").trim()]));
    kept["ipAllow"] = String(inputs["ipAllow"] ?? "")
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean);
    for (const [name, field] of Object.entries(fields.shape)) {
      const parsed = z.safeParse(field, inputs[name]);
      if (parsed.success) kept[name] = parsed.data;
    }
    return kept;
  };
  return { sections, schema, draftOf };
}
