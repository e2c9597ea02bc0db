/** The forms of a blacklist entry: the entry, and the reason for lifting it. A lazy chunk. */
import * as z from "zod/mini";

import type { BlacklistKind, BlacklistRow } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { blacklistKindCodes, blacklistScopeCodes, blacklistSourceCodes } from "../../../lib/codes";
import type { MessageKey, Translate } from "../../../lib/i18n";
import { blacklistLimits } from "../../../lib/limits";
import { unmergeable } from "../../../ui/conflict";
import { labelOf } from "../../../ui/field";
import type { Choice, Form } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import type { Overlay } from "../../../ui/overlay";
import type { BlacklistChoices } from "./fields";
import { newChannel } from "../../channel/share";
import { newOrg } from "../../org/share";

/** The rough format of each kind of value; the server checks it exactly. */
const SHAPES: Readonly<Record<BlacklistKind, { shape: RegExp; wrong: MessageKey }>> = {
  phone: { shape: /^(\+86)?[ -]*1([ -]*\d){10}$/, wrong: "blacklist.phoneWrong" },
  id_no: { shape: /^\d{17}[\dX]$/i, wrong: "blacklist.idNoWrong" },
  ip: { shape: /^[\da-f.:]{2,45}$/i, wrong: "blacklist.ipWrong" },
  device: { shape: /^[\x21-\x7e]{6,128}$/, wrong: "blacklist.deviceWrong" },
};

/** What a new entry starts with. */
type Blank = Pick<BlacklistRow, "kind" | "scope" | "source" | "reason" | "expiresAt"> & { value: string; channelId: null; orgId: null };
const blank = (everywhere: boolean): Blank => ({
  kind: "phone",
  value: "",
  scope: everywhere ? "global" : "channel",
  channelId: null,
  orgId: null,
  source: "manual",
  reason: "",
  expiresAt: null,
});

interface BlacklistDialog {
  overlay: Overlay<BlacklistRow>;
  t: Translate;
  choices: BlacklistChoices;
  /** The entry to be edited; a new one without it. */
  row: BlacklistRow | undefined;
}

function blacklistForm(t: Translate, { channels, orgs, everywhere }: BlacklistChoices, row: BlacklistRow | undefined) {
  const rule = rules(t);
  const codes = (labels: string, all: readonly string[]) => all.map((value) => ({ value, label: labelOf(t, labels, value) }));
  /** The value of the record stays a choice, even if it is not offered any more. */
  const withOwn = (choices: BlacklistChoices["orgs"], scope: BlacklistRow["scope"]): readonly Choice[] => {
    const own =
      row?.scope === scope && row.scopeId !== null ? { value: row.scopeId, label: row.scopeName ?? String(row.scopeId) } : undefined;
    return own && !choices.some(({ value }) => value === own.value) ? [...choices, own] : choices;
  };
  // An entry that is made by hand cannot have the source of imported ones.
  const sources = blacklistSourceCodes.filter((source) => source !== "import" || row?.source === "import");
  const scopes = blacklistScopeCodes.filter((scope) => everywhere || scope !== "global");
  const schema = z
    .object({
      kind: rule.oneOf(blacklistKindCodes),
      // For an existing entry it is the mask, which is not sent.
      value: rule.text(140),
      scope: rule.oneOf(scopes),
      channelId: rule.optionalId(),
      orgId: rule.optionalId(),
      source: rule.oneOf(sources),
      expiresAt: rule.optionalMoment(),
      reason: rule.text(blacklistLimits.reason),
    })
    .check(
      ...blacklistKindCodes.map((kind) =>
        z.refine<{ kind: BlacklistKind; value: string }>(
          (entry) => row !== undefined || entry.kind !== kind || SHAPES[kind].shape.test(entry.value),
          {
            path: ["value"],
            error: t(SHAPES[kind].wrong),
          },
        ),
      ),
      z.refine(({ scope, channelId }) => scope !== "channel" || channelId !== null, {
        path: ["channelId"],
        error: t("blacklist.channelNeeded"),
      }),
      z.refine(({ scope, orgId }) => scope !== "organisation" || orgId !== null, { path: ["orgId"], error: t("blacklist.orgNeeded") }),
    );
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      // The kind of an existing entry cannot change.
      {
        name: "kind",
        label: "blacklist.kind",
        kind: "select",
        required: true,
        choices: codes("BlacklistKind", row ? [row.kind] : blacklistKindCodes),
      },
      {
        name: "value",
        label: "blacklist.value",
        kind: "text",
        required: true,
        fixed: Boolean(row),
        hint: row ? "blacklist.valueFixed" : "blacklist.valueHint",
      },
      { name: "scope", label: "blacklist.scope", kind: "select", required: true, choices: codes("BlacklistScope", scopes) },
      {
        name: "channelId",
        label: "BlacklistScope.channel",
        kind: "select",
        required: true,
        empty: "blacklist.choose",
        choices: withOwn(channels, "channel"),
        create: newChannel,
        when: ({ scope }) => scope === "channel",
      },
      {
        name: "orgId",
        label: "BlacklistScope.organisation",
        kind: "select",
        required: true,
        empty: "blacklist.choose",
        choices: withOwn(orgs, "organisation"),
        create: newOrg,
        when: ({ scope }) => scope === "organisation",
      },
      { name: "source", label: "blacklist.source", kind: "select", required: true, choices: codes("BlacklistSource", sources) },
      { name: "expiresAt", label: "blacklist.expiresAt", kind: "moment", hint: "blacklist.expiresHint" },
      { name: "reason", label: "blacklist.reason", kind: "area", required: true, wide: true },
    ],
  };
  return form;
}

/** The dialog of an entry; it closes with the entry as it was saved. */
export function blacklistDialog({ overlay, t, choices, row }: BlacklistDialog) {
  return (
    <FormDialog<FormValues, BlacklistRow | Blank, BlacklistRow>
      overlay={overlay}
      title={t(row ? "blacklist.edit" : "blacklist.create")}
      draft="blacklist"
      form={blacklistForm(t, choices, row)}
      record={row ?? blank(choices.everywhere)}
      valuesOf={inputsOf}
      save={({ channelId, orgId, value, ...values }, record) => {
        const scopeId = values.scope === "channel" ? channelId : values.scope === "organisation" ? orgId : null;
        return "id" in record
          ? api.put<BlacklistRow>("/blacklist", { ...values, scopeId, id: record.id, version: record.version })
          : api.post<BlacklistRow>("/blacklist", { ...values, scopeId, value });
      }}
    />
  );
}

type FormValues = ReturnType<typeof blacklistForm> extends Form<infer Values> ? Values : never;

/** What the inputs hold for an entry. */
function inputsOf(record: BlacklistRow | Blank): object {
  if (!("id" in record)) return record;
  const { scope, scopeId, valueMask } = record;
  return { ...record, value: valueMask, channelId: scope === "channel" ? scopeId : null, orgId: scope === "organisation" ? scopeId : null };
}

interface LiftDialog {
  overlay: Overlay<BlacklistRow>;
  t: Translate;
  row: BlacklistRow;
}

/** The dialog that asks why; it closes with the entry as it was lifted. */
export function liftDialog({ overlay, t, row: { id, version, valueMask } }: LiftDialog) {
  return (
    <FormDialog
      overlay={overlay}
      title={t("blacklist.liftTitle", { value: valueMask })}
      draft={`blacklist.lift ${id}`}
      submit={t("blacklist.lift")}
      form={{
        schema: z.object({ reason: rules(t).text(blacklistLimits.reason) }),
        fields: [{ name: "reason", label: "blacklist.liftReason", kind: "area", required: true, wide: true, hint: "blacklist.liftHint" }],
      }}
      record={{ reason: "" }}
      save={async ({ reason }) => {
        try {
          return await api.put<BlacklistRow>("/blacklist/status", { id, version, status: "lifted", reason });
        } catch (error) {
          // The decision is about the entry as it was read: when it has changed, there is nothing to merge.
          throw unmergeable(error);
        }
      }}
    />
  );
}
