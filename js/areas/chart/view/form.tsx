/** The form of a saved view. A lazy chunk. */
import * as z from "zod/mini";

import { api } from "../../../lib/api";
import type { SelectOption, StatView, StatViewForm } from "../../../lib/api-types";
import type { Translate } from "../../../lib/i18n";
import { statViewLimits } from "../../../lib/limits";
import { labelOf } from "../../../ui/field";
import type { Form, Inputs } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import type { Overlay } from "../../../ui/overlay";
import type { Kept } from "./kept-query";

interface ViewDialog {
  overlay: Overlay<StatView>;
  t: Translate;
  /** The call that saves views. */
  call: string;
  /** Roles that its file can be sent to. */
  roles: readonly SelectOption[];
  /** The view to be changed; a new one without it. */
  view: StatView | undefined;
  /** What the list shows now. */
  now: Kept & { columns: string[] };
}

/** From five in the morning to noon, every half hour; minutes of the day. */
const TIMES = Array.from({ length: 15 }, (_, i) => 300 + i * 30);
const MORNING = 480;
/** The choice of fixed days instead of a moving range. */
const FIXED = "fixed";
const isSent = ({ sendRoleId }: Inputs) => sendRoleId !== "";

const clock = (minute: number) => `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;

/** The dialog; it closes with the view as it was saved. */
export function viewDialog({ overlay, t, call, roles, view, now }: ViewDialog) {
  const rule = rules(t);
  const schema = z.object({
    name: rule.text(statViewLimits.name),
    isDefault: rule.flag(),
    replace: rule.flag(),
    range: z.string(),
    sendRoleId: rule.optionalId(),
    sendMinute: rule.optionalId(),
  });
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      { name: "name", label: "view.name", kind: "text", required: true },
      { name: "isDefault", label: "view.default", kind: "flag" },
      { name: "replace", label: "view.replace", kind: "flag", when: () => view !== undefined },
      {
        name: "range",
        label: "view.range",
        kind: "select",
        required: true,
        when: ({ replace }) => now.ranges.length > 0 && replace === "true",
        choices: [
          ...now.ranges.map((value) => ({ value, label: labelOf(t, "StatRange", value) })),
          { value: FIXED, label: t("view.fixed") },
        ],
      },
      {
        name: "sendRoleId",
        label: "view.sendRole",
        kind: "select",
        choices: roles,
        empty: "view.notSent",
        hint: "view.sendHint",
        when: () => roles.length > 0,
      },
      {
        name: "sendMinute",
        label: "view.sendTime",
        kind: "select",
        required: true,
        choices: TIMES.map((value) => ({ value, label: clock(value) })),
        when: isSent,
      },
    ],
  };
  const record = {
    name: view?.name ?? "",
    isDefault: view?.isDefault ?? false,
    replace: true,
    range: now.ranges[0] ?? FIXED,
    sendRoleId: view?.sendRoleId ?? null,
    sendMinute: view?.sendMinute ?? MORNING,
  };
  return (
    <FormDialog
      overlay={overlay}
      title={t(view ? "view.edit" : "view.save")}
      note={t("view.note")}
      draft={`statView ${view?.id ?? `new ${call}`}`}
      form={form}
      record={record}
      save={({ name, isDefault, replace, range, sendRoleId, sendMinute }) => {
        const days = range !== FIXED ? { range } : now.days && { dayFrom: now.days.from, dayTo: now.days.to };
        const shown = { query: { ...now.query, ...days }, columns: now.columns };
        const body: StatViewForm = {
          name,
          isDefault,
          ...(view && { id: view.id }),
          ...(replace && shown),
          ...(sendRoleId && sendMinute ? { sendRoleId, sendMinute } : {}),
        };
        return api.post<StatView>(call, body);
      }}
    />
  );
}
