/**
 * What opens over a page: dialogs, drawers, menus. Opening one is a call that is
 * awaited, so that an action reads from top to bottom:
 *
 *     if (await confirm(open, { title, text })) await api.del(`/channel/${id}`);
 *
 * The views themselves are lazy chunks; only this small piece is on every page.
 */
import { Fragment, type ReactNode, useCallback, useRef, useState } from "react";

import type { Open, Question } from "./overlay-types";

export type { Open, Overlay, Question } from "./overlay-types";

interface Entry {
  id: number;
  open: boolean;
  view: (open: boolean) => ReactNode;
}

/** The overlays of one component, to be put into its markup, and the function that opens one. */
export function useOverlay(): [ReactNode, Open] {
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  const lastId = useRef(0);
  const open = useCallback<Open>((render) => {
    const id = ++lastId.current;
    const focused = document.activeElement;
    const returnTo = focused instanceof HTMLElement ? focused : null;
    return new Promise((resolve, reject) => {
      const fade = () => setEntries((all) => all.map((entry) => (entry.id === id ? { ...entry, open: false } : entry)));
      const close = (result?: Parameters<typeof resolve>[0]) => {
        fade();
        resolve(result);
      };
      const fail = (error: unknown) => {
        fade();
        reject(error);
      };
      const closed = () => setEntries((all) => all.filter((entry) => entry.id !== id));
      const view = (isOpen: boolean) => render({ open: isOpen, close: close as never, fail, closed, returnTo });
      setEntries((all) => [...all, { id, open: true, view }]);
    });
  }, []);
  return [entries.map((entry) => <Fragment key={entry.id}>{entry.view(entry.open)}</Fragment>), open];
}

/** Asks; true when the viewer agreed. */
export async function confirm(open: Open, question: Question): Promise<boolean> {
  const { ConfirmDialog } = await import("./confirm-dialog");
  return (await open<boolean>((overlay) => <ConfirmDialog overlay={overlay} {...question} />)) ?? false;
}
