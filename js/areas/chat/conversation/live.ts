/**
 * Follows the events of the chat: by a stream of server-sent events, and where a proxy holds those back by a long poll.
 * Both go on from the number of the last event, so that after a cut nothing is missing.
 */
import { useEffect, useRef, useState } from "react";

import { api, ApiError } from "../../../lib/api";
import type { ChatEvents } from "../../../lib/api-types";
import { getToken } from "../../../lib/session";

/** Timeouts for the first line of a stream and between two lines; the server sends a line every ten seconds. */
const FIRST_MS = 4000;
const SILENCE_MS = 25_000;
/** The pause between two tries without an answer, and the longest pause. */
const PAUSE_MS = 1000;
const SLOWEST_MS = 30_000;
/** How long a visible page waits before it takes a stream back from newer pages. */
const LOOKED_MS = 60_000;
/** Timeout of a poll: longer than the server waits for an event. */
const POLL_PATIENCE_MS = 35_000;
const FUTURE = "1001";
const EXPIRED = "2000";

export type LiveState = "on" | "late";

/** Calls `onEvents` with the events after a number; returns whether the page is up to date. */
export function useChatEvents(after: number, onEvents: (events: ChatEvents) => void): LiveState {
  const [state, setState] = useState<LiveState>("on");
  const latest = useRef(onEvents);
  useEffect(() => {
    latest.current = onEvents;
  });
  const first = useRef(after);
  useEffect(() => {
    const leaving = new AbortController();
    void follow(first.current, leaving.signal, (events) => latest.current(events), setState);
    return () => leaving.abort();
  }, []);
  return state;
}

async function follow(after: number, signal: AbortSignal, onEvents: (events: ChatEvents) => void, setState: (state: LiveState) => void) {
  let number = after;
  let streams = true;
  let pause = PAUSE_MS;
  let ended = false;
  const take = (events: ChatEvents) => {
    ended = events.ended;
    number = events.next;
    pause = PAUSE_MS;
    setState("on");
    if (events.reset || events.events.length > 0 || events.gone.length > 0) onEvents(events);
  };
  while (!signal.aborted) {
    try {
      if (ended) {
        setState("late");
        await looked(signal);
        ended = false;
        continue;
      }
      if (streams) streams = await stream(number, signal, take, () => setState("on"));
      else take(await api.get<ChatEvents>("/chat/events", { after: number }, { quiet: true, signal, patience: POLL_PATIENCE_MS }));
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && error.code === EXPIRED) return;
      // The database was restored to an earlier state: `reset` has the page reloaded.
      if (error instanceof ApiError && error.code === FUTURE) {
        const now = await api.get<ChatEvents>("/chat/events", {}, { quiet: true, signal }).catch(() => null);
        if (now) {
          take({ events: [], conversations: [], gone: [], reset: true, ended: false, next: now.next });
          continue;
        }
      }
      setState("late");
      await new Promise((tick) => setTimeout(tick, pause));
      pause = Math.min(pause * 2, SLOWEST_MS);
    }
  }
}

/** Resolves when the page becomes visible or gets the focus, or after a visible minute: newer pages hold all streams. */
function looked(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const left = new AbortController();
    const end = () => {
      clearInterval(minute);
      left.abort();
      done();
    };
    const shown = () => {
      if (document.visibilityState === "visible") end();
    };
    const minute = setInterval(shown, LOOKED_MS);
    window.addEventListener("focus", end, { signal: left.signal });
    document.addEventListener("visibilitychange", shown, { signal: left.signal });
    signal.addEventListener("abort", end, { signal: left.signal });
  });
}

/** Reads a stream until it ends; returns whether streams work here. */
async function stream(after: number, signal: AbortSignal, take: (events: ChatEvents) => void, alive: () => void): Promise<boolean> {
  const ending = new AbortController();
  const stop = () => ending.abort();
  signal.addEventListener("abort", stop, { once: true });
  let isOpen = false;
  let timer = setTimeout(stop, FIRST_MS);
  try {
    const token = getToken();
    const response = await fetch(`/api/chat/events?mode=stream&after=${after}`, {
      headers: { accept: "text/event-stream", "accept-language": document.documentElement.lang, ...(token === null ? {} : { token }) },
      signal: ending.signal,
    });
    if (!response.ok || !response.body || !response.headers.get("content-type")?.startsWith("text/event-stream")) return false;
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return isOpen;
      isOpen = true;
      alive();
      clearTimeout(timer);
      timer = setTimeout(stop, SILENCE_MS);
      text += value;
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        const data = text
          .slice(0, end)
          .split("\n")
          .find((line) => line.startsWith("data: "));
        text = text.slice(end + 2);
        if (data) take(JSON.parse(data.slice("data: ".length)) as ChatEvents);
      }
    }
  } catch (error) {
    if (signal.aborted) throw error;
    // No line came: a proxy holds events back. A stream that was open and fell silent is opened again.
    if (!isOpen && ending.signal.aborted) return false;
    if (isOpen && ending.signal.aborted) return true;
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
    ending.abort();
  }
}
