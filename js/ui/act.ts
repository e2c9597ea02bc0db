/** Runs the actions of buttons. */
import { useCallback, useRef } from "react";

import { ApiError } from "../lib/api";
import { useT } from "../lib/i18n";
import { notify } from "../lib/toast";
import type { Open } from "./overlay";

/** Runs an action; the name identifies it. */
export type Act = (name: string, run: () => Promise<unknown>) => void;

/**
 * Runs an action. The client shows refusals of the API; the page may be stale then, so it is reloaded.
 * Until an action has ended, or has opened something, another of the same name is a second click and does nothing.
 * Actions must open their overlays by the returned `open`.
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
