/** Runs the actions of buttons. */
import { useCallback, useRef } from "react";

import { ApiError } from "../lib/api";
import { useT } from "../lib/i18n";
import { notify } from "../lib/toast";
import type { Open } from "./overlay";

/** Runs an action; the name identifies it. `button` is marked as busy; absent: the one that is being pressed. */
export type Act = (name: string, run: () => Promise<unknown>, button?: HTMLElement | null) => void;

/** The button whose press is being handled. */
function pressed(): HTMLElement | null {
  const { event } = window;
  return event?.type === "click" && event.target instanceof Element ? event.target.closest("button") : null;
}

/**
 * Runs an action. The client shows refusals of the API, and a dialog those that have a cure; the page may be stale then, so it is
 * reloaded.
 * Until an action has ended, or has opened something, its button is busy, and another of the same name is a second click and
 * does nothing: the code of a dialog may take seconds to arrive. Actions must open their overlays by the returned `open`.
 */
export function useAct(reload: () => Promise<unknown>, open: Open): [act: Act, open: Open] {
  const t = useT();
  const running = useRef(new Map<string, HTMLElement | null>());
  const opening = useCallback<Open>(
    (render) => {
      for (const name of running.current.keys()) end(running.current, name);
      return open(render);
    },
    [open],
  );
  const act: Act = (name, run, button = pressed()) => {
    if (running.current.has(name)) return;
    running.current.set(name, button);
    button?.setAttribute("aria-busy", "true");
    run()
      .catch(async (error: unknown) => {
        if (error instanceof ApiError) {
          if (error.cure !== undefined) await (await import("./refusal-dialog")).showRefusal(opening, error);
          return reload();
        }
        console.error(error);
        notify("error", t("ui.failed"));
      })
      .finally(() => running.current.get(name) === button && end(running.current, name));
  };
  return [act, opening];
}

function end(running: Map<string, HTMLElement | null>, name: string): void {
  running.get(name)?.removeAttribute("aria-busy");
  running.delete(name);
}
