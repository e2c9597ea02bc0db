/** The draft of what is written in a conversation: kept as those of forms are, encrypted until it is sent or the account signs out. */
import { useEffect, useEffectEvent, useRef } from "react";

import { useViewer } from "../../../lib/props";
import { DRAFTS } from "../../../lib/session";

/** A pause this long in typing, in milliseconds, and the draft is kept. */
const PAUSE_MS = 500;

/** Calls `restore` with an earlier draft and whether it is a note. Returns what keeps a text; an empty one removes the draft. */
export function useComposerDraft(
  conversationId: number,
  restore: (text: string, isNote: boolean) => void,
): (text: string, isNote: boolean) => void {
  const account = useViewer()?.id;
  const name = `${DRAFTS}${account} chat ${conversationId}`;
  const latest = useRef<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const found = useEffectEvent(restore);
  useEffect(() => {
    latest.current = null;
    if (localStorage.getItem(name) === null || crypto.subtle === undefined) return undefined;
    let isHere = true;
    const seek = async () => {
      const { findDraft } = await import("../../../lib/drafts");
      const text = (await findDraft(name))?.inputs;
      // What was typed meanwhile stays.
      if (isHere && latest.current === null && typeof text?.["text"] === "string") found(text["text"], text["note"] === "note");
    };
    seek().catch((error: unknown) => console.info("the draft could not be opened", error));
    return () => {
      isHere = false;
    };
  }, [name]);
  return (text, isNote) => {
    latest.current = text;
    clearTimeout(timer.current);
    if (text === "") return localStorage.removeItem(name);
    // Browsers encrypt on secure origins only.
    if (account === undefined || crypto.subtle === undefined) return;
    const keep = async () => {
      const { keepDraft } = await import("../../../lib/drafts");
      const inputs = { text, note: isNote ? "note" : "answer" };
      await keepDraft(account, name, { version: null, inputs, base: {} }, () => latest.current === text);
    };
    timer.current = setTimeout(() => keep().catch((error: unknown) => console.info("the draft was not kept", error)), PAUSE_MS);
  };
}
