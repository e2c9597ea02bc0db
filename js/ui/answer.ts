/** Data that a part of a page fetches beyond the page's loads. */
import { useEffect, useState } from "react";

import { api } from "../lib/api";
import { reported } from "./description";

/** What a GET answers, or undefined until it does; the client reports failures. */
export function useAnswer<T>(path: string): T | undefined {
  const [answer, setAnswer] = useState<T>();
  useEffect(() => {
    const abort = new AbortController();
    api.get<T>(path, undefined, { signal: abort.signal }).then(setAnswer, (error: unknown) => {
      if (!abort.signal.aborted) reported(error);
    });
    return () => abort.abort();
  }, [path]);
  return answer;
}
