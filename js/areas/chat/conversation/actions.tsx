/** What can be done with a conversation: take it, hand it over, put it off, set its urgency, close it, open it again. */
import { api } from "../../../lib/api";
import type { ChatMe, ConversationRow } from "../../../lib/api-types";
import { useT } from "../../../lib/i18n";
import type { Act } from "../../../ui/act";
import { type List, openActionMenu, type RowAction } from "../../../ui/actions";
import { Button } from "../../../ui/button";

interface ConversationActionsProps {
  conversation: ConversationRow;
  me: ChatMe | null;
  list: List;
  act: Act;
}

const post =
  (path: string) =>
  async ({ id }: ConversationRow, { reload }: List) => {
    await api.post(`/chat/${path}`, { conversationId: id });
    await reload();
  };

const setPriority =
  (priority: number) =>
  async ({ id }: ConversationRow, { reload }: List) => {
    await api.post("/chat/priority", { conversationId: id, priority });
    await reload("chat.prioritySet");
  };

async function transfer(row: ConversationRow, { t, open, reload }: List, me: ChatMe) {
  const { transferDialog } = await import("./forms");
  if (await open<ConversationRow>((overlay) => transferDialog({ overlay, t, row, me }))) await reload("chat.transferred");
}

async function snooze(row: ConversationRow, { t, open, reload }: List) {
  const { snoozeDialog } = await import("./forms");
  if (await open<ConversationRow>((overlay) => snoozeDialog({ overlay, t, row }))) await reload("chat.snoozed");
}

async function close(row: ConversationRow, { t, open, reload }: List) {
  const { closeDialog } = await import("./forms");
  if (await open<ConversationRow>((overlay) => closeDialog({ overlay, t, row }))) await reload("chat.closed");
}

export function ConversationActions({ conversation, me, list, act }: ConversationActionsProps) {
  const t = useT();
  if (!me) return null;
  const isMine = conversation.staffId === me.staffId;
  const isClosed = conversation.status === "resolved";
  const isOthers = conversation.staffId !== null && !isMine && !isClosed;
  const assigns = list.can("assign");
  if (isClosed) {
    return <Button onClick={() => act("reopen", () => post("reopen")(conversation, list))}>{t("chat.reopen")}</Button>;
  }
  const more: RowAction<ConversationRow>[] = [
    { label: "chat.transfer", point: "send", run: (row, list) => transfer(row, list, me) },
    { label: "chat.snooze", point: "send", run: snooze },
    ...([0, 1, 2, 3] as const)
      .filter((priority) => priority !== conversation.priority)
      .map((priority): RowAction<ConversationRow> => ({
        label: `chat.setPriority.${priority}`,
        point: "send",
        run: setPriority(priority),
      })),
  ];
  return (
    <span className="chat-acts flex flex-wrap items-center gap-2 ml-auto">
      {(!isMine || conversation.status === "snoozed") && (!isOthers || assigns) && (
        <Button look="primary" onClick={() => act("take", () => post("take")(conversation, list))}>
          {t(isMine ? "chat.wake" : "chat.take")}
        </Button>
      )}
      {(!isOthers || assigns) && (
        <>
          <Button onClick={() => act("close", () => close(conversation, list))}>{t("chat.close")}</Button>
          <Button
            aria-haspopup="menu"
            onClick={({ currentTarget }) => act("more", () => openActionMenu(currentTarget, more, conversation, list, act))}
          >
            {t("ui.more")}
          </Button>
        </>
      )}
    </span>
  );
}
