/** The search of records for the palette: one call after a pause in typing, and the last answer until the next one arrives. */

import { useCallback, useEffect, useState } from "react";
import { api, ApiError } from "../lib/api";
import type { FoundGroup } from "../lib/api-types";

/** How long the typing pauses before a call, in milliseconds. */
const PAUSE_MS = 150;
/** The fewest characters of a search (`crates/frame/src/api/search.rs`). */
const LEAST = 2;

interface Answer {
  /** The text that it answers; none before the first answer and before a repetition. */
  text?: string;
  groups: readonly FoundGroup[];
  /** Why there is no answer. */
  error?: string;
}

export interface RecordSearch {
  /** What was found for the text, or for the one before it while `isPending`. */
  groups: readonly FoundGroup[];
  isPending: boolean;
  error?: string;
  /** Searches for the same text again. */
  retry: () => void;
}

const NOTHING: Answer = { groups: [] };

export function useSearch(typed: string): RecordSearch {
  const [answer, setAnswer] = useState(NOTHING);
  const [tries, setTries] = useState(0);
  const text = typed.trim();
  const isAsked = [...text].length >= LEAST;
  useEffect(() => {
    if (!isAsked) {
      setAnswer(NOTHING);
      return;
    }
    const call = new AbortController();
    const pause = setTimeout(() => void find(text, call.signal).then((next) => next && setAnswer(next)), PAUSE_MS);
    return () => {
      clearTimeout(pause);
      call.abort();
    };
  }, [isAsked, text, tries]);
  const retry = useCallback(() => {
    setAnswer(NOTHING);
    setTries((before) => before + 1);
  }, []);
  return { groups: isAsked ? answer.groups : [], isPending: isAsked && answer.text !== text, error: answer.error, retry };
}

/** The answer for a text; nothing if the call was aborted. */
async function find(text: string, signal: AbortSignal): Promise<Answer | undefined> {
  try {
    return { text, groups: await api.post<FoundGroup[]>("/search", { q: text }, { signal, quiet: true }) };
  } catch (error) {
    if (signal.aborted) return undefined;
    if (!(error instanceof ApiError)) throw error;
    return { text, groups: [], error: error.desc };
  }
}
