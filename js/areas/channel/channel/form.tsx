/** The form of a channel. A lazy chunk: it loads when one is created or edited. */
import * as z from "zod/mini";

import type { ChannelRow, ChannelSecret, SelectOption } from "../../../lib/api-types";
import { channelTypeCodes, dedupScopeCodes, settleModeCodes } from "../../../lib/codes";
import { api } from "../../../lib/api";
import { localeOf, type Translate } from "../../../lib/i18n";
import { channelLimits, fieldLimits, rotationLimits } from "../../../lib/limits";
import { ruleFields, sentence } from "../../../lib/terms-table";
import type { List } from "../../../ui/actions";
import { labelOf } from "../../../ui/field";
import type { Form } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import { termsField, termsRules } from "../../../ui/form-terms";
import type { Overlay } from "../../../ui/overlay";
import { isByUnit } from "./fields";

/** An IPv4 or IPv6 address, with or without a prefix length; the server checks it in earnest. */
const IP = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]*:[0-9a-f:.]+)(?:\/\d{1,3})?$/i;
const CODE = /^[\w-]{8,}$/;
const URL_SHAPE = /^https?:\/\/\S+$/i;

/** What a new channel starts with. */
const blank = {
  code: "",
  name: "",
  type: "ads",
  settleMode: "none",
  unitPriceCents: null,
  shareBp: null,
  landingUrl: null,
  ipAllow: [],
  callbackUrl: null,
  dedupDays: null,
  dedupScope: "site",
  requiredFields: [],
  caps: [],
  filters: null,
  ownerAdminId: null,
  remark: "",
} as const;

function channelForm(t: Translate, owners: readonly SelectOption[], isNew: boolean) {
  const rule = rules(t);
  const terms = termsRules(t);
  const choices = (labels: string, codes: readonly string[]) => codes.map((value) => ({ value, label: labelOf(t, labels, value) }));
  const locale = localeOf(t);
  const required = ruleFields("visitor").map(({ name, title }) => ({ value: name, label: sentence(title[locale]) }));
  const fields = z.object({
    code: rule.text(channelLimits.code, CODE, t("channel.codeWrong")),
    name: rule.text(channelLimits.name),
    type: rule.oneOf(channelTypeCodes),
    settleMode: rule.oneOf(settleModeCodes),
    unitPriceCents: rule.money(channelLimits.mostCents),
    shareBp: rule.percent(),
    landingUrl: rule.optional(fieldLimits.address, URL_SHAPE, t("ui.rule.url")),
    callbackUrl: rule.optional(fieldLimits.address, URL_SHAPE, t("ui.rule.url")),
    ipAllow: rule.lines(channelLimits.mostAddresses, IP, (line) => t("ui.rule.ip", { line })),
    dedupDays: rule.optionalInteger(0, channelLimits.mostDedupDays),
    dedupScope: rule.oneOf(dedupScopeCodes),
    requiredFields: rule.codes(required.map(({ value }) => value)),
    caps: terms.caps(),
    filters: terms.rules(),
    ownerAdminId: rule.optionalId(),
    remark: rule.note(channelLimits.remark),
  });
  const schema = fields.check(
    z.refine((channel) => !isByUnit(channel) || channel.unitPriceCents > 0, { path: ["unitPriceCents"], error: t("channel.priceNeeded") }),
    z.refine(({ settleMode, shareBp }) => settleMode !== "share" || shareBp > 0, { path: ["shareBp"], error: t("channel.shareNeeded") }),
  );
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      { name: "code", label: "channel.code", kind: "text", required: true, fixed: !isNew, hint: isNew ? "channel.codeHint" : undefined },
      { name: "name", label: "channel.name", kind: "text", required: true },
      { name: "type", label: "channel.type", kind: "select", required: true, choices: choices("ChannelType", channelTypeCodes) },
      { name: "ownerAdminId", label: "channel.owner", kind: "select", empty: "channel.noOwner", choices: owners },
      { name: "settleMode", label: "channel.settleMode", kind: "select", required: true, choices: choices("SettleMode", settleModeCodes) },
      { name: "unitPriceCents", label: "channel.unitPriceInput", kind: "money", when: isByUnit },
      { name: "shareBp", label: "channel.share", kind: "percent", when: ({ settleMode }) => settleMode === "share" },
      { name: "dedupDays", label: "channel.dedupDays", kind: "integer", unit: "channel.days", hint: "channel.dedupHint" },
      { name: "dedupScope", label: "channel.dedupScope", kind: "select", choices: choices("DedupScope", dedupScopeCodes) },
      {
        name: "requiredFields",
        label: "channel.requiredFields",
        kind: "boxes",
        wide: true,
        choices: required,
        hint: "channel.requiredHint",
      },
      { name: "landingUrl", label: "channel.landingUrl", kind: "text", type: "url", wide: true, placeholder: "https://" },
      {
        name: "callbackUrl",
        label: "channel.callbackUrl",
        kind: "text",
        type: "url",
        wide: true,
        placeholder: "https://",
        hint: "channel.callbackHint",
      },
      { name: "ipAllow", label: "channel.ipAllow", kind: "lines", wide: true, hint: "channel.ipAllowHint" },
      { name: "caps", label: "channel.caps", ...termsField.caps, wide: true, hint: "channel.capsHint" },
      { name: "filters", label: "channel.filters", ...termsField.rules, wide: true, hint: "channel.filtersHint" },
      { name: "remark", label: "channel.remark", kind: "area", wide: true },
    ],
  };
  return form;
}

interface Making {
  overlay: Overlay<ChannelSecret & { name: string }>;
  t: Translate;
  owners: readonly SelectOption[];
}

/** The dialog that makes a channel; it closes with the secret, which is to be shown once. */
export function createChannel({ overlay, t, owners }: Making) {
  return (
    <FormDialog
      overlay={overlay}
      title={t("channel.create")}
      draft="channel"
      form={channelForm(t, owners, true)}
      record={blank}
      save={async (values) => ({ ...(await api.post<ChannelSecret>("/channel", values)), name: values.name })}
    />
  );
}

interface Editing {
  overlay: Overlay<ChannelRow>;
  t: Translate;
  owners: readonly SelectOption[];
  row: ChannelRow;
}

/** The dialog that edits a channel; it closes with the channel as it was saved. */
export function editChannel({ overlay, t, owners, row }: Editing) {
  return (
    <FormDialog
      overlay={overlay}
      title={t("channel.edit")}
      draft="channel"
      form={channelForm(t, owners, false)}
      record={row}
      save={(values, { id, version }) => api.put<ChannelRow>("/channel", { ...values, id, version })}
    />
  );
}

interface Rotating {
  overlay: Overlay<ChannelSecret>;
  t: Translate;
  row: ChannelRow;
}

/** The dialog that asks for how long the old secret stays valid; it closes with the new one. */
export function rotateDialog({ overlay, t, row }: Rotating) {
  const schema = z.object({ overlapHours: rules(t).integer(0, rotationLimits.longestOverlap) });
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      {
        name: "overlapHours",
        label: "channel.overlap",
        kind: "integer",
        unit: "channel.hours",
        required: true,
        wide: true,
        hint: "channel.overlapHint",
      },
    ],
  };
  return (
    <FormDialog
      overlay={overlay}
      title={t("channel.rotateTitle", { name: row.name })}
      submit={t("channel.rotate")}
      form={form}
      record={{ overlapHours: 24 }}
      save={({ overlapHours }) => api.put<ChannelSecret>("/channel/secret", { id: row.id, version: row.version, overlapHours })}
    />
  );
}

/** Shows the keys of a channel, once. */
export async function showSecret({ name, appKey, appSecret }: ChannelSecret & { name: string }, { t, open }: Pick<List, "t" | "open">) {
  const { showSecrets } = await import("../../../ui/secret-dialog");
  await showSecrets(open, t("channel.secretTitle", { name }), [
    { label: t("channel.appKey"), value: appKey },
    { label: t("channel.appSecret"), value: appSecret },
  ]);
}
