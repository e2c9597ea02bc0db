/** The forms of a conversation: the recipient of a handover, the end of a snooze, and the closing note. A lazy chunk. */
import * as z from "zod/mini";

import { api } from "../../../lib/api";
import type { ChatMe, ConversationRow } from "../../../lib/api-types";
import { momentInput } from "../../../lib/format";
import type { Translate } from "../../../lib/i18n";
import { conversationLimits } from "../../../lib/limits";
import type { Form } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import type { Overlay } from "../../../ui/overlay";

const HOUR = 3_600_000;

interface Dialog {
  overlay: Overlay<ConversationRow>;
  t: Translate;
  row: ConversationRow;
}

/** Hands a conversation to a colleague or to a group. */
export function transferDialog({ overlay, t, row, me }: Dialog & { me: ChatMe }) {
  const rule = rules(t);
  // A colleague is "s" and their number, a group "g" and its number.
  const targets = [
    ...me.colleagues
      .filter(({ id }) => id !== row.staffId)
      .map(({ id, nickname, presence }) => ({ value: `s${id}`, label: `${nickname} · ${t(`ChatPresence.${presence}`)}` })),
    ...me.groups
      .filter(({ id }) => id !== row.groupId || row.staffId !== null)
      .map(({ id, name }) => ({ value: `g${id}`, label: t("chat.groupOf", { name }) })),
  ];
  const schema = z.object({ to: rule.text(24), note: rule.note(conversationLimits.transferNote) });
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      { name: "to", label: "chat.transferTo", kind: "select", required: true, empty: "chat.chooseOne", choices: targets },
      { name: "note", label: "chat.transferNote", kind: "area", wide: true },
    ],
  };
  return (
    <FormDialog
      overlay={overlay}
      title={t("chat.transfer")}
      draft={`chat.transfer ${row.id}`}
      submit={t("chat.transfer")}
      form={form}
      record={{ to: "", note: "" }}
      save={({ to, note }) => {
        const id = Number(to.slice(1));
        return api.post<ConversationRow>("/chat/transfer", {
          conversationId: row.id,
          note,
          ...(to.startsWith("s") ? { staffId: id } : { groupId: id }),
        });
      }}
    />
  );
}

/** Puts a conversation off until a moment, or the customer's next message. */
export function snoozeDialog({ overlay, t, row }: Dialog) {
  const rule = rules(t);
  const schema = z.object({ until: rule.moment(t("chat.snoozeMissing")) });
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [{ name: "until", label: "chat.snoozeUntil", kind: "moment", required: true, hint: "chat.snoozeHint" }],
  };
  return (
    <FormDialog
      overlay={overlay}
      title={t("chat.snooze")}
      submit={t("chat.snooze")}
      form={form}
      record={{ until: Date.now() + HOUR }}
      valuesOf={({ until }) => ({ until: momentInput(until) })}
      save={({ until }) => api.post<ConversationRow>("/chat/snooze", { conversationId: row.id, until })}
    />
  );
}

/** Closes a conversation with a note for colleagues. */
export function closeDialog({ overlay, t, row }: Dialog) {
  const rule = rules(t);
  const schema = z.object({ note: rule.note(conversationLimits.closeNote) });
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [{ name: "note", label: "chat.closeNote", kind: "area", wide: true, hint: "chat.closeHint" }],
  };
  return (
    <FormDialog
      overlay={overlay}
      title={t("chat.closeTitle", { name: row.customerName })}
      draft={`chat.close ${row.id}`}
      submit={t("chat.close")}
      form={form}
      record={{ note: "" }}
      save={({ note }) => api.post<ConversationRow>("/chat/close", { conversationId: row.id, note })}
    />
  );
}
