/** Running what a button does. */
import { useCallback, useRef } from "react";

import { ApiError } from "../lib/api";
import { useT } from "../lib/i18n";
import { notify } from "../lib/toast";
import type { Open } from "./overlay";

/** Runs what its name stands for. */
export type Act = (name: string, run: () => Promise<unknown>) => void;

/**
 * Runs an action. The client has told the viewer what the API refused, and what is shown may be
 * stale then: it is loaded anew. Until an action has ended, or has opened something, another of its
 * name is a second click and does nothing. What actions open is to be opened by the `open` that comes back.
 */
export function useAct(reload: () => Promise<unknown>, open: Open): [act: Act, open: Open] {
  const t = useT();
  const running = useRef(new Set<string>());
  const opening = useCallback<Open>(
    (render) => {
      running.current.clear();
      return open(render);
    },
    [open],
  );
  const act: Act = (name, run) => {
    if (running.current.has(name)) return;
    running.current.add(name);
    run()
      .catch((error: unknown) => {
        if (error instanceof ApiError) return reload();
        console.error(error);
        notify("error", t("ui.failed"));
      })
      .finally(() => running.current.delete(name));
  };
  return [act, opening];
}
