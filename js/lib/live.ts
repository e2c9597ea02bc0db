/** Answers that are fetched again every few seconds while the page is visible. */

import { useEffect, useState } from "react";
import { api, ApiError, TRANSPORT } from "./api";

const EVERY_MS = 5000;

/** Failures that may be over at the next try. */
const PASSING = new Set([TRANSPORT, "5000", "5003"]);

export interface Live<T> {
  data: T;
  /** False once the user has stopped it or a call was refused. */
  isOn: boolean;
  /** The last call failed: `data` is older than it should be. */
  isLate: boolean;
  toggle: () => void;
}

/** The answer of `GET path`, beginning with the one that came with the page. Pauses in a hidden tab. */
export function useLive<T>(path: string, first: T): Live<T> {
  const [data, setData] = useState(first);
  const [isOn, setOn] = useState(true);
  const [isLate, setLate] = useState(false);

  useEffect(() => setData(first), [first]);
  useEffect(() => {
    if (!isOn) return undefined;
    const leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isFetching = false;

    const rest = () => {
      clearTimeout(timer);
      if (document.visibilityState === "visible") timer = setTimeout(() => void refresh(), EVERY_MS);
    };
    const refresh = async () => {
      if (isFetching) return;
      isFetching = true;
      try {
        setData(await api.get<T>(path, undefined, { quiet: true, signal: leaving.signal }));
        setLate(false);
      } catch (error) {
        if (leaving.signal.aborted) return;
        setLate(true);
        if (error instanceof ApiError && !PASSING.has(error.code)) setOn(false);
      } finally {
        isFetching = false;
      }
      rest();
    };
    const seen = () => {
      clearTimeout(timer);
      if (document.visibilityState === "visible") void refresh();
    };

    rest();
    document.addEventListener("visibilitychange", seen);
    return () => {
      leaving.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", seen);
    };
  }, [path, isOn]);

  return { data, isOn, isLate, toggle: () => setOn(!isOn) };
}
