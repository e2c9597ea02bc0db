/** The forms of the menu. A lazy chunk: it loads when an entry is edited or a link is made. */
import * as z from "zod/mini";

import type { MenuEntry } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import type { Translate } from "../../../lib/i18n";
import { fieldLimits, menuLimits } from "../../../lib/limits";
import type { Form, FormField } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import type { IconName } from "../../../ui/icon";
import type { Overlay } from "../../../ui/overlay";

/** The icons that suit a menu. */
const icons: readonly IconName[] = [
  "gauge",
  "channel",
  "product",
  "plan",
  "org",
  "user",
  "crm",
  "finance",
  "pay",
  "chat",
  "chart",
  "admin",
  "list",
  "link",
  "home",
  "bell",
  "globe",
  "gear",
  "key",
  "history",
  "info",
  "check",
  "warning",
  "search",
];
const URL_SHAPE = /^https?:\/\/\S+$/i;
const POINT = 2;

const visibilities = ["shown", "hidden"] as const;
const audiences = ["everyone", "granted"] as const;

/** What a new link starts with. */
const blank = {
  titleZh: "",
  titleEn: "",
  icon: "link",
  sort: 9,
  externalUrl: "https://",
  audience: "everyone",
  visibility: "shown",
} as const;

function fieldsOf(
  t: Translate,
  { isPoint, isTop, isCustom, isNew }: { isPoint: boolean; isTop: boolean; isCustom: boolean; isNew: boolean },
) {
  const fields: FormField[] = [
    { name: "titleZh", label: "menu.titleZh", kind: "text", required: true },
    { name: "titleEn", label: "menu.titleEn", kind: "text", required: true },
  ];
  if (!isPoint) fields.push({ name: "sort", label: "menu.sort", kind: "integer", required: true, hint: "menu.sortHint" });
  if (!isPoint && !isNew) {
    fields.push({
      name: "visibility",
      label: "menu.visibility",
      kind: "select",
      choices: visibilities.map((value) => ({ value, label: t(`menu.${value}`) })),
      hint: "menu.visibilityHint",
    });
  }
  if (isCustom) {
    fields.push(
      {
        name: "audience",
        label: "menu.audience",
        kind: "select",
        choices: audiences.map((value) => ({ value, label: t(`menu.${value}`) })),
      },
      { name: "externalUrl", label: "menu.externalUrl", kind: "text", type: "url", required: true, wide: true },
    );
  }
  if (isTop) fields.push({ name: "icon", label: "menu.icon", kind: "icon", wide: true, icons });
  return fields;
}

function schemaOf(t: Translate) {
  const rule = rules(t);
  return z.object({
    titleZh: rule.text(menuLimits.titleZh),
    titleEn: rule.text(menuLimits.titleEn),
    // The type of the entry decides which of these are in the form.
    sort: z.optional(rule.integer(0, menuLimits.mostSort)),
    visibility: z.optional(rule.oneOf(visibilities)),
    audience: z.optional(rule.oneOf(audiences)),
    externalUrl: z.optional(rule.text(fieldLimits.address, URL_SHAPE, t("ui.rule.url"))),
    icon: z.optional(rule.optional(menuLimits.icon)),
  });
}

interface Making {
  overlay: Overlay<MenuEntry>;
  t: Translate;
}

/** The dialog that makes a link; it closes with it. */
export function createLink({ overlay, t }: Making) {
  const schema = schemaOf(t);
  const form: Form<z.output<typeof schema>> = { schema, fields: fieldsOf(t, { isPoint: false, isTop: true, isCustom: true, isNew: true }) };
  return (
    <FormDialog
      overlay={overlay}
      title={t("menu.create")}
      draft="menu"
      form={form}
      record={blank}
      save={({ visibility: _always, audience, ...values }) =>
        api.post<MenuEntry>("/menu", { ...values, everyone: audience === "everyone" })
      }
    />
  );
}

interface Editing extends Making {
  entry: MenuEntry;
}

/** The dialog that edits an entry; it closes with the entry as it was saved. */
export function editEntry({ overlay, t, entry }: Editing) {
  const schema = schemaOf(t);
  const kind = { isPoint: entry.type === POINT, isTop: entry.parentId === null, isCustom: entry.custom, isNew: false };
  const form: Form<z.output<typeof schema>> = { schema, fields: fieldsOf(t, kind) };
  return (
    <FormDialog
      overlay={overlay}
      title={t("menu.editTitle", { name: entry.titleZh })}
      draft="menu"
      form={form}
      record={entry}
      valuesOf={(row) => ({ ...row, visibility: row.hidden ? "hidden" : "shown", audience: row.everyone ? "everyone" : "granted" })}
      save={({ titleZh, titleEn, sort, icon, visibility, audience, externalUrl }, { id, version, ...current }) =>
        api.put<MenuEntry>("/menu", {
          id,
          version,
          titleZh,
          titleEn,
          sort: sort ?? current.sort,
          icon: icon === undefined ? current.icon : icon,
          hidden: visibility === undefined ? current.hidden : visibility === "hidden",
          enabled: current.enabled,
          ...(entry.custom && { externalUrl, everyone: audience === "everyone" }),
        })
      }
    />
  );
}
