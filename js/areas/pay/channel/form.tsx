/** The form of a payee channel. A lazy chunk. */
import * as z from "zod/mini";

import type { PayeeChannelRow, PayProvider, SelectOption } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { payProviderCodes } from "../../../lib/codes";
import { withLastParts } from "../../../lib/field-names";
import type { Translate } from "../../../lib/i18n";
import { payeeChannelLimits } from "../../../lib/limits";
import type { Form, Inputs } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import type { Overlay } from "../../../ui/overlay";
import { newPayee } from "../../org/share";
import { isOnline, type ParamName, providerParams } from "./fields";

const CODE = /^[\w-]{2,}$/;
const MCH_NO = /^[a-z\d]+$/i;
const ADDRESS = /^https?:\/\/\S+$/i;
const DAY = /^\d{4}-\d\d-\d\d$/;

/** What a new channel starts with. */
type Blank = Pick<
  PayeeChannelRow,
  "code" | "name" | "provider" | "mchNo" | "gatewayUrl" | "instructions" | "feeBp" | "minCents" | "sort"
> & {
  payeeOrgId: number | null;
};
const blank = ([first, ...others]: readonly SelectOption[]): Blank => ({
  code: "",
  name: "",
  provider: "wechat",
  payeeOrgId: first && others.length === 0 ? Number(first.value) : null,
  mchNo: "",
  gatewayUrl: "",
  instructions: "",
  feeBp: 0,
  minCents: 1,
  sort: 0,
});

interface ChannelDialog {
  overlay: Overlay<PayeeChannelRow>;
  t: Translate;
  payees: readonly SelectOption[];
  /** The channel to be edited; a new one without it. */
  row: PayeeChannelRow | undefined;
}

function channelForm(t: Translate, payees: readonly SelectOption[], row: PayeeChannelRow | undefined) {
  const rule = rules(t);
  const online = ({ provider }: Inputs) => isOnline(provider as PayProvider);
  // The value of the record stays a choice, even if it is not offered any more.
  const own = row && !payees.some(({ value }) => value === row.payeeOrgId) ? [{ value: row.payeeOrgId, label: row.payeeOrgName }] : [];
  // The provider of an existing channel cannot change.
  const providers = row ? [row.provider] : payProviderCodes;
  const param = <Name extends ParamName>(name: Name) => ({
    name,
    label: `payeeChannel.param.${name}` as const,
    hint: row?.paramNames.includes(name) ? ("payeeChannel.paramKept" as const) : ("payeeChannel.paramNeeded" as const),
    when: ({ provider }: Inputs) => providerParams[provider as PayProvider].includes(name),
  });
  const isWechat = ({ provider }: Inputs) => provider === "wechat";
  /** A parameter of the platform's previous key, for the time of a change of keys. */
  const more = <Name extends ParamName>(name: Name) => ({
    ...param(name),
    hint: row?.paramNames.includes(name) ? ("payeeChannel.paramKept" as const) : ("payeeChannel.paramOptional" as const),
    when: isWechat,
  });
  const text = { kind: "text" } as const;
  const key = { kind: "area", wide: true, secret: true } as const;
  const schema = z
    .object({
      name: rule.text(payeeChannelLimits.name),
      code: rule.text(payeeChannelLimits.code, CODE, t("payeeChannel.codeWrong")),
      provider: rule.oneOf(payProviderCodes),
      payeeOrgId: rule.id(),
      mchNo: rule.optional(payeeChannelLimits.mchNo, MCH_NO, t("payeeChannel.mchNoWrong")),
      // The server checks their format; empty ones leave the stored values as they are.
      appId: rule.note(payeeChannelLimits.param),
      serialNo: rule.note(payeeChannelLimits.param),
      privateKey: rule.note(payeeChannelLimits.key),
      apiV3Key: rule.note(payeeChannelLimits.apiKey),
      platformSerial: rule.note(payeeChannelLimits.param),
      platformKey: rule.note(payeeChannelLimits.key),
      oldPlatformSerial: rule.note(payeeChannelLimits.param),
      oldPlatformKey: rule.note(payeeChannelLimits.key),
      oldKeyUntil: rule.optional(10, DAY),
      alipayPublicKey: rule.note(payeeChannelLimits.key),
      gatewayUrl: rule.note(payeeChannelLimits.gatewayUrl),
      certExpireOn: rule.optional(10, DAY),
      feeBp: rule.integer(0, payeeChannelLimits.mostBp),
      minCents: rule.money(payeeChannelLimits.mostCents),
      maxCents: rule.money(payeeChannelLimits.mostCents),
      dayCapCents: rule.optionalMoney(1, payeeChannelLimits.mostCents),
      sort: rule.integer(0, payeeChannelLimits.mostSort),
      instructions: rule.note(payeeChannelLimits.instructions),
    })
    .check(
      z.refine(({ provider, mchNo }) => !isOnline(provider) || mchNo !== null, { path: ["mchNo"], error: t("ui.rule.required") }),
      z.refine(({ provider, gatewayUrl }) => !isOnline(provider) || gatewayUrl === "" || ADDRESS.test(gatewayUrl), {
        path: ["gatewayUrl"],
        error: t("payeeChannel.gatewayWrong"),
      }),
      z.refine(({ minCents }) => minCents > 0, { path: ["minCents"], error: t("payeeChannel.amountNeeded") }),
      z.refine(({ maxCents }) => maxCents > 0, { path: ["maxCents"], error: t("payeeChannel.amountNeeded") }),
      z.refine(({ minCents, maxCents }) => maxCents === 0 || maxCents >= minCents, {
        path: ["maxCents"],
        error: t("payeeChannel.maxTooLow"),
      }),
      z.refine(({ maxCents, dayCapCents }) => dayCapCents === null || dayCapCents >= maxCents, {
        path: ["dayCapCents"],
        error: t("payeeChannel.dayCapTooLow"),
      }),
    );
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      { name: "name", label: "payeeChannel.name", kind: "text", required: true },
      {
        name: "code",
        label: "payeeChannel.code",
        kind: "text",
        required: true,
        fixed: Boolean(row),
        hint: row ? undefined : "payeeChannel.codeHint",
      },
      {
        name: "provider",
        label: "payeeChannel.provider",
        kind: "select",
        required: true,
        hint: row ? undefined : "payeeChannel.providerHint",
        choices: providers.map((value) => ({ value, label: t(`PayProvider.${value}`) })),
      },
      {
        name: "payeeOrgId",
        label: "payeeChannel.payeeOrgName",
        kind: "select",
        required: true,
        // The payee of a channel with orders cannot change.
        ...(row?.hasOrders
          ? { hint: "payeeChannel.payeeKept" as const, choices: [{ value: row.payeeOrgId, label: row.payeeOrgName }] }
          : { empty: "payeeChannel.choose" as const, choices: [...payees, ...own], create: newPayee }),
      },
      { name: "mchNo", label: "payeeChannel.mchNo", kind: "text", hint: "payeeChannel.mchNoHint" },
      { ...param("appId"), ...text },
      { ...param("serialNo"), ...text },
      { ...param("platformSerial"), ...text },
      { ...param("privateKey"), ...key },
      { ...param("apiV3Key"), ...key },
      { ...param("platformKey"), ...key },
      { ...more("oldPlatformSerial"), ...text },
      { name: "oldKeyUntil", label: "payeeChannel.oldKeyUntil", kind: "date", hint: "payeeChannel.oldKeyHint", when: isWechat },
      { ...more("oldPlatformKey"), ...key },
      { ...param("alipayPublicKey"), ...key },
      {
        name: "gatewayUrl",
        label: "payeeChannel.gatewayUrl",
        kind: "text",
        type: "url",
        wide: true,
        placeholder: "https://",
        hint: "payeeChannel.gatewayHint",
        when: online,
      },
      { name: "certExpireOn", label: "payeeChannel.certExpireOn", kind: "date", hint: "payeeChannel.certHint", when: online },
      { name: "feeBp", label: "payeeChannel.feeBp", kind: "integer", required: true, hint: "payeeChannel.feeHint" },
      { name: "minCents", label: "payeeChannel.minInput", kind: "money", required: true },
      { name: "maxCents", label: "payeeChannel.maxInput", kind: "money", required: true },
      { name: "dayCapCents", label: "payeeChannel.dayCapInput", kind: "money", hint: "payeeChannel.dayCapHint" },
      { name: "sort", label: "payeeChannel.sort", kind: "integer", required: true, hint: "payeeChannel.sortHint" },
      { name: "instructions", label: "payeeChannel.instructions", kind: "area", wide: true, hint: "payeeChannel.instructionsHint" },
    ],
  };
  return form;
}

/** The dialog of a channel; it closes with the channel as it was saved. */
export function channelDialog({ overlay, t, payees, row: saved }: ChannelDialog) {
  // Open proposals stay proposed unless they are changed here.
  const { payeeOrgId, payeeOrgName } = saved ?? {};
  const row = saved && { ...saved, ...saved.proposed, ...(saved.hasOrders && { payeeOrgId, payeeOrgName }) };
  const note = t(row ? "payeeChannel.editNote" : "payeeChannel.createNote");
  return (
    <FormDialog<FormValues, PayeeChannelRow | Blank, PayeeChannelRow>
      overlay={overlay}
      title={t(row ? "payeeChannel.edit" : "payeeChannel.create")}
      draft="payeeChannel"
      note={note}
      form={channelForm(t, payees, row)}
      record={row ?? blank(payees)}
      save={async (values, record) => {
        try {
          return await save(values, record);
        } catch (error) {
          throw withLastParts(error);
        }
      }}
    />
  );
}

type FormValues = ReturnType<typeof channelForm> extends Form<infer Values> ? Values : never;

function save(values: FormValues, record: PayeeChannelRow | Blank): Promise<PayeeChannelRow> {
  const { code, provider, appId, serialNo, privateKey, apiV3Key, platformSerial, platformKey, ...rest } = values;
  const { oldPlatformSerial, oldPlatformKey, alipayPublicKey, ...others } = rest;
  const typed = {
    appId,
    serialNo,
    privateKey,
    apiV3Key,
    platformSerial,
    platformKey,
    oldPlatformSerial,
    oldPlatformKey,
    alipayPublicKey,
  };
  const body = {
    ...others,
    mchNo: others.mchNo ?? "",
    params: Object.fromEntries(providerParams[provider].map((name) => [name, typed[name]])),
    gatewayUrl: isOnline(provider) ? others.gatewayUrl : "",
    certExpireOn: isOnline(provider) ? others.certExpireOn : null,
  };
  return "id" in record
    ? api.put<PayeeChannelRow>("/payChannel", { ...body, id: record.id, version: record.version })
    : api.post<PayeeChannelRow>("/payChannel", { ...body, code, provider });
}
