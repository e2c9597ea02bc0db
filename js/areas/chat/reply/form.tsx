/** The form of a reply. A lazy chunk. */
import * as z from "zod/mini";

import type { ChatReplyRow, SelectOption } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { keywordMatchCodes, replyKindCodes } from "../../../lib/codes";
import type { Translate } from "../../../lib/i18n";
import { chatGroupLimits, chatReplyLimits } from "../../../lib/limits";
import { labelOf } from "../../../ui/field";
import type { Form, Inputs } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import type { Overlay } from "../../../ui/overlay";

/** What a shortcut is made of. */
const SHORTCUT = /^[A-Za-z\d\u4e00-\u9fff]+$/;

/** What a new reply starts with. */
const blank = { kind: "quick", groupId: null, keyword: "", matchMode: "contains", shortcut: "", content: "", sort: 0 } as const;

interface ReplyDialog {
  overlay: Overlay<ChatReplyRow>;
  t: Translate;
  /** Groups in use. */
  groups: readonly SelectOption[];
  /** The reply to be edited; a new one without it. */
  row: ChatReplyRow | undefined;
}

const hasKeyword = ({ kind }: Inputs) => kind === "keyword";
const hasShortcut = ({ kind }: Inputs) => kind === "quick";

function replyForm({ t, groups, row }: ReplyDialog) {
  const rule = rules(t);
  const codes = (labels: string, all: readonly string[]) => all.map((value) => ({ value, label: labelOf(t, labels, value) }));
  // The value of the record stays a choice, even if it is not offered any more.
  const own =
    row && row.groupId !== null && !groups.some(({ value }) => value === row.groupId)
      ? [{ value: row.groupId, label: row.groupName ?? "" }]
      : [];
  const schema = z
    .object({
      kind: rule.oneOf(replyKindCodes),
      groupId: rule.optionalId(),
      keyword: rule.note(chatReplyLimits.keyword),
      matchMode: rule.oneOf(keywordMatchCodes),
      shortcut: rule.note(chatReplyLimits.shortcut),
      content: rule.text(chatReplyLimits.content),
      sort: rule.integer(0, chatGroupLimits.mostSort),
    })
    .check(
      z.refine(({ kind, keyword }) => kind !== "keyword" || keyword !== "", { path: ["keyword"], error: t("ui.rule.required") }),
      z.refine(({ kind, shortcut }) => kind !== "quick" || shortcut !== "", { path: ["shortcut"], error: t("ui.rule.required") }),
      z.refine(({ kind, shortcut }) => kind !== "quick" || shortcut === "" || SHORTCUT.test(shortcut), {
        path: ["shortcut"],
        error: t("chatReply.shortcutWrong"),
      }),
    );
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      { name: "kind", label: "chatReply.kind", kind: "select", required: true, choices: codes("ReplyKind", replyKindCodes) },
      {
        name: "groupId",
        label: "chatReply.groupName",
        kind: "select",
        empty: "chatReply.allGroups",
        choices: [...groups, ...own],
        hint: "chatReply.groupHint",
      },
      { name: "keyword", label: "chatReply.keyword", kind: "text", required: true, when: hasKeyword, hint: "chatReply.keywordHint" },
      {
        name: "matchMode",
        label: "chatReply.matchMode",
        kind: "select",
        required: true,
        choices: codes("KeywordMatch", keywordMatchCodes),
        when: hasKeyword,
      },
      { name: "shortcut", label: "chatReply.shortcut", kind: "text", required: true, when: hasShortcut, hint: "chatReply.shortcutHint" },
      { name: "sort", label: "chatReply.sort", kind: "integer", required: true, hint: "chatReply.sortHint" },
      { name: "content", label: "chatReply.content", kind: "area", required: true, wide: true },
    ],
  };
  return form;
}

/** The dialog of a reply; it closes with the reply as it was saved. */
export function replyDialog(dialog: ReplyDialog) {
  const { overlay, t, row } = dialog;
  return (
    <FormDialog
      overlay={overlay}
      title={t(row ? "chatReply.edit" : "chatReply.create")}
      draft="chatReply"
      form={replyForm(dialog)}
      record={row ?? blank}
      save={(values, record) => {
        // Texts of another kind, typed before the kind was changed, are not sent.
        const { kind } = values;
        const body = { ...values, keyword: kind === "keyword" ? values.keyword : "", shortcut: kind === "quick" ? values.shortcut : "" };
        return "id" in record
          ? api.put<ChatReplyRow>("/chat/reply", { ...body, id: record.id, version: record.version })
          : api.post<ChatReplyRow>("/chat/reply", body);
      }}
    />
  );
}
