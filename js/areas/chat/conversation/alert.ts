/** Alerts the viewer to conversations that wait for an answer: a number in the title, and a sound that is repeated. */
import { useEffect } from "react";

import { chime } from "../../../shell/chime";

const REPEAT_MS = 30_000;
const MUTED = "chat:muted";

export function isMuted(): boolean {
  return localStorage.getItem(MUTED) === "1";
}

export function setMuted(muted: boolean): void {
  if (muted) localStorage.setItem(MUTED, "1");
  else localStorage.removeItem(MUTED);
}

/** `waiting` is the number of conversations that wait for the viewer; `newest` changes with each new message in them. */
export function useChatAlert(waiting: number, newest: number, muted: boolean): void {
  useEffect(() => {
    const plain = document.title.replace(/^\(\d+\) /, "");
    document.title = waiting > 0 ? `(${waiting}) ${plain}` : plain;
    return () => {
      document.title = document.title.replace(/^\(\d+\) /, "");
    };
  }, [waiting]);
  useEffect(() => {
    if (waiting === 0 || muted) return undefined;
    let wanted = true;
    const ring = () => chime(() => wanted);
    if (newest > 0) ring();
    const timer = setInterval(ring, REPEAT_MS);
    return () => {
      wanted = false;
      clearInterval(timer);
    };
  }, [waiting > 0, newest, muted]);
}
