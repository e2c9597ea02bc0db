/**
 * What opens over a page: dialogs, drawers, menus. Opening one is a call that is
 * awaited, so that an action reads from top to bottom:
 *
 *     if (await confirm(open, { title, text })) await api.del(`/channel/${id}`);
 *
 * The views themselves are lazy chunks; only this small piece is on every page.
 */
import { Fragment, type ReactNode, useCallback, useRef, useState } from "react";

/** What an open dialog, drawer or menu is given. */
export interface Overlay<R = void> {
  /** False while it fades out. */
  open: boolean;
  /** Answers whoever opened it, and starts to close. Without a value: dismissed. */
  close: (result?: R) => void;
  /** Throws at whoever opened it, and starts to close. */
  fail: (error: unknown) => void;
  /** The view says that it has faded out and may go. */
  closed: () => void;
  /** What had the focus before, and gets it back. */
  returnTo: HTMLElement | null;
}

/** Opens a view; the promise is what it closes with, `undefined` when it was dismissed. */
export type Open = <R>(render: (overlay: Overlay<R>) => ReactNode) => Promise<R | undefined>;

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

/** What a question says. Texts are final, in the viewer's language. */
export interface Question {
  title: string;
  text?: ReactNode;
  /** Names what happens: "Delete", "Pause"; not "OK". */
  confirm?: string;
  /** It destroys or interrupts: the button is red and the focus starts on cancel. */
  danger?: boolean;
}

/** Asks; true when the viewer agreed. */
export async function confirm(open: Open, question: Question): Promise<boolean> {
  const { ConfirmDialog } = await import("./confirm-dialog");
  return (await open<boolean>((overlay) => <ConfirmDialog overlay={overlay} {...question} />)) ?? false;
}
