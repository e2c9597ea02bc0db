/** The form of a service group. A lazy chunk. */
import * as z from "zod/mini";

import type { ChatGroupRow } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { assignModeCodes } from "../../../lib/codes";
import type { Translate } from "../../../lib/i18n";
import { chatGroupLimits } from "../../../lib/limits";
import { labelOf } from "../../../ui/field";
import type { Form } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import { termsField, termsRules } from "../../../ui/form-terms";
import type { Overlay } from "../../../ui/overlay";

/** What a site that may frame the visitors' page looks like. */
const SITE = /^https?:\/\/[a-z0-9.-]+(:\d{1,5})?\/?$/i;

/** What a new group starts with. */
const blank = {
  name: "",
  workingHours: null,
  assignMode: "least_busy",
  idleMinutes: 30,
  replyMinutes: 0,
  resolveMinutes: 0,
  sort: 0,
  frameSites: [] as string[],
};

interface GroupDialog {
  overlay: Overlay<ChatGroupRow>;
  t: Translate;
  /** The group to be edited; a new one without it. */
  row: ChatGroupRow | undefined;
}

function groupForm(t: Translate) {
  const rule = rules(t);
  const schema = z.object({
    name: rule.text(chatGroupLimits.name),
    assignMode: rule.oneOf(assignModeCodes),
    idleMinutes: rule.integer(0, chatGroupLimits.mostMinutes),
    replyMinutes: rule.integer(0, chatGroupLimits.mostMinutes),
    resolveMinutes: rule.integer(0, chatGroupLimits.mostMinutes),
    sort: rule.integer(0, chatGroupLimits.mostSort),
    workingHours: termsRules(t).schedule(),
    frameSites: rule.lines(chatGroupLimits.mostSites, SITE, (site) => t("chatGroup.notSite", { site })),
  });
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      { name: "name", label: "chatGroup.name", kind: "text", required: true },
      {
        name: "assignMode",
        label: "chatGroup.assignMode",
        kind: "select",
        required: true,
        hint: "chatGroup.assignHint",
        choices: assignModeCodes.map((value) => ({ value, label: labelOf(t, "AssignMode", value) })),
      },
      { name: "idleMinutes", label: "chatGroup.idleMinutes", kind: "integer", required: true, hint: "chatGroup.idleHint" },
      { name: "replyMinutes", label: "chatGroup.replyMinutes", kind: "integer", required: true, hint: "chatGroup.targetHint" },
      { name: "resolveMinutes", label: "chatGroup.resolveMinutes", kind: "integer", required: true, hint: "chatGroup.targetHint" },
      { name: "sort", label: "chatGroup.sort", kind: "integer", required: true, hint: "chatGroup.sortHint" },
      { name: "workingHours", label: "chatGroup.workingHours", ...termsField.schedule, wide: true, hint: "chatGroup.hoursHint" },
      { name: "frameSites", label: "chatGroup.frameSites", kind: "lines", wide: true, hint: "chatGroup.frameSitesHint" },
    ],
  };
  return form;
}

/** The dialog of a group; it closes with the group as it was saved. */
export function groupDialog({ overlay, t, row }: GroupDialog) {
  return (
    <FormDialog
      overlay={overlay}
      title={t(row ? "chatGroup.edit" : "chatGroup.create")}
      draft="chatGroup"
      form={groupForm(t)}
      record={row ?? blank}
      save={(values, record) =>
        "id" in record
          ? api.put<ChatGroupRow>("/chat/group", { ...values, id: record.id, version: record.version })
          : api.post<ChatGroupRow>("/chat/group", values)
      }
    />
  );
}
