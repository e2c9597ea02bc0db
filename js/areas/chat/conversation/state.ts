/** The state of the page of conversations: the answers of its loads together with the events since. */
import type { ChatEvents, ConversationRow, ChatMessageRow, CustomerRow, TransferRow, WholeTexts } from "../../../lib/api-types";

/** What has happened since a page was opened. */
export interface ChatNews {
  rows: ReadonlyMap<number, ConversationRow>;
  /** Messages of each conversation by id. */
  messages: ReadonlyMap<number, ReadonlyMap<number, ChatMessageRow>>;
  /** Conversations that the viewer does not see any more. */
  gone: ReadonlySet<number>;
}

export const NO_NEWS: ChatNews = { rows: new Map(), messages: new Map(), gone: new Set() };

/** Adds events; the same ones twice change nothing. */
export function withEvents(
  news: ChatNews,
  { conversations, events, gone }: Pick<ChatEvents, "conversations" | "events" | "gone">,
): ChatNews {
  const rows = new Map(news.rows);
  const messages = new Map(news.messages);
  const left = new Set(news.gone);
  for (const row of conversations) {
    const known = rows.get(row.id);
    if (!known || known.version <= row.version) rows.set(row.id, row);
    left.delete(row.id);
  }
  for (const { conversationId, message } of events) {
    if (message) messages.set(conversationId, new Map(messages.get(conversationId)).set(message.id, message));
  }
  for (const id of gone) left.add(id);
  return { rows, messages, gone: left };
}

/** Adds a message that the viewer has sent or recalled. */
export function withMessage(news: ChatNews, message: ChatMessageRow): ChatNews {
  return withEvents(news, { conversations: [], gone: [], events: [{ number: 0, conversationId: message.conversationId, message }] });
}

/** The messages of a conversation, loaded parts and later ones together, in order. */
export function threadOf(loaded: readonly ChatMessageRow[], news: ChatNews, id: number): ChatMessageRow[] {
  const all = new Map(loaded.map((message) => [message.id, message]));
  for (const [key, message] of news.messages.get(id) ?? []) {
    // A recalled message stays recalled, even if an older part of the thread has its text.
    if (!all.get(key)?.recalled) all.set(key, message);
  }
  return [...all.values()].sort((one, other) => one.id - other.id);
}

/** The newer of two states of a conversation. */
export function newest(loaded: ConversationRow, news: ChatNews): ConversationRow {
  const later = news.rows.get(loaded.id);
  return later && later.version >= loaded.version ? later : loaded;
}

/** Since when the customer of a conversation waits; null for one that is put off. */
export const waitsSince = ({ status, waitingSince }: ConversationRow): number | null => (status === "snoozed" ? null : waitingSince);

/** The place of a row: those in which the customer waits, the longest wait first, then the others, the last message first. */
const placeOf = (row: ConversationRow) => waitsSince(row) ?? Number.MAX_SAFE_INTEGER - row.lastMessageAt;

/** The rows of a list as they are now, in the order of the server. `belongs` says which rows it shows. */
export function rowsOf(loaded: readonly ConversationRow[], news: ChatNews, belongs: (row: ConversationRow) => boolean): ConversationRow[] {
  const all = new Map(loaded.map((row) => [row.id, newest(row, news)]));
  for (const row of news.rows.values()) if (!all.has(row.id)) all.set(row.id, row);
  return [...all.values()]
    .filter((row) => !news.gone.has(row.id) && belongs(row))
    .sort((one, other) => placeOf(one) - placeOf(other) || one.id - other.id);
}

/** A test whether a list shows a conversation, by the filters of its address; null for filters that only the server can apply. */
export function belongsTo(filters: Readonly<Record<string, string>>, staffId: number | null): ((row: ConversationRow) => boolean) | null {
  const { box, status, ...others } = withoutId(filters);
  if (Object.keys(others).length > 0) return null;
  return (row) => {
    if (box === "mine" && row.staffId !== staffId) return false;
    if (box === "unassigned" && row.status !== "queued") return false;
    return status ? row.status === status : row.status !== "resolved";
  };
}

/** Whether a customer waits for the viewer, or for any member of the staff. */
export function asksFor(row: ConversationRow, staffId: number | null): boolean {
  return row.status === "queued" || (row.staffId === staffId && staffId !== null && row.unread > 0);
}

/** The filters of a list without the conversation that is chosen. */
export function withoutId(filters: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(filters).filter(([name]) => name !== "id"));
}

/** Whole texts of a conversation that were revealed. */
export interface Revealed {
  messages: ReadonlyMap<number, string>;
  transfers: ReadonlyMap<number, string>;
  closeNote: string | null;
  ratingNote: string | null;
  remark: string | null;
}

/** Adds what was revealed to what was revealed before. */
export function withWhole(known: Revealed | null, texts: WholeTexts): Revealed {
  const added = (before: ReadonlyMap<number, string> | undefined, list: WholeTexts["messages"]) =>
    new Map([...(before ?? []), ...list.map(({ id, text }) => [id, text] as const)]);
  const { closeNote, ratingNote, remark } = texts;
  return {
    messages: added(known?.messages, texts.messages),
    transfers: added(known?.transfers, texts.transfers),
    closeNote,
    ratingNote,
    remark,
  };
}

/** Whether a text has a long number whose middle is hidden. */
export function isMasked(text: string): boolean {
  return (text.match(/\*/gu)?.length ?? 0) >= 4;
}

/** The whole text of a shown one; the shown one if the text has changed since it was revealed. */
export function wholeOf(shown: string, whole: string | null | undefined): string {
  if (!whole) return shown;
  const [masked, signs] = [[...shown], [...whole]];
  return masked.length === signs.length && masked.every((sign, place) => sign === "*" || sign === signs[place]) ? whole : shown;
}

/** Whether a note beside a thread has a number that is still hidden. */
export function hasMaskedNote(
  { closeNote, ratingNote }: ConversationRow,
  customer: CustomerRow | null,
  transfers: readonly TransferRow[],
  revealed: Revealed | null,
): boolean {
  const notes = [
    wholeOf(closeNote, revealed?.closeNote),
    wholeOf(ratingNote, revealed?.ratingNote),
    wholeOf(customer?.remark ?? "", revealed?.remark),
    ...transfers.map(({ id, note }) => wholeOf(note, revealed?.transfers.get(id))),
  ];
  return notes.some(isMasked);
}
