/** The form of a saved view. A lazy chunk. */
import * as z from "zod/mini";

import { api } from "../../lib/api";
import type { SelectOption, StatView, StatViewForm } from "../../lib/api-types";
import type { Translate } from "../../lib/i18n";
import type { Form, Inputs } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { rules } from "../../ui/form-rules";
import type { Overlay } from "../../ui/overlay";

interface ViewDialog {
  overlay: Overlay<StatView>;
  t: Translate;
  /** The call that keeps views. */
  call: string;
  /** Roles that its file can be sent to. */
  roles: readonly SelectOption[];
  /** The view to be changed; a new one without it. */
  view: StatView | undefined;
  /** What the list shows now. */
  now: Required<Pick<StatViewForm, "query" | "columns">>;
}

/** From five in the morning to noon, every half hour; minutes of the day. */
const TIMES = Array.from({ length: 15 }, (_, i) => 300 + i * 30);
const MORNING = 480;
const isSent = ({ sendRoleId }: Inputs) => sendRoleId !== "";

const clock = (minute: number) => `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;

/** The dialog; it closes with the view as it was kept. */
export function viewDialog({ overlay, t, call, roles, view, now }: ViewDialog) {
  const rule = rules(t);
  const yesNo = [{ value: "true", label: t("ui.yes") }, { value: "false", label: t("ui.no") }];
  const flag = () => z.pipe(rule.oneOf(["true", "false"]), z.transform((code: "true" | "false") => code === "true"));
  const schema = z.object({
    name: rule.text(32),
    isDefault: flag(),
    replace: flag(),
    sendRoleId: rule.optionalId(),
    sendMinute: rule.optionalId(),
  });
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      { name: "name", label: "view.name", kind: "text", required: true, maxLength: 32 },
      { name: "isDefault", label: "view.default", kind: "select", required: true, choices: yesNo },
      { name: "replace", label: "view.replace", kind: "select", required: true, choices: yesNo, when: () => view !== undefined },
      { name: "sendRoleId", label: "view.sendRole", kind: "select", choices: roles, empty: "view.notSent", hint: "view.sendHint", when: () => roles.length > 0 },
      { name: "sendMinute", label: "view.sendTime", kind: "select", required: true, choices: TIMES.map((value) => ({ value, label: clock(value) })), when: isSent },
    ],
  };
  const record = {
    name: view?.name ?? "", isDefault: view?.isDefault ?? false, replace: true, sendRoleId: view?.sendRoleId ?? null,
    sendMinute: view?.sendMinute ?? MORNING,
  };
  return (
    <FormDialog
      overlay={overlay}
      title={t(view ? "view.edit" : "view.save")}
      note={t("view.note")}
      form={form}
      record={record}
      save={({ name, isDefault, replace, sendRoleId, sendMinute }) => {
        const body: StatViewForm = {
          name, isDefault, ...(view && { id: view.id }), ...(replace && now), ...(sendRoleId && sendMinute ? { sendRoleId, sendMinute } : {}),
        };
        return api.post<StatView>(call, body);
      }}
    />
  );
}
