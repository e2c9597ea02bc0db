/** What `overlay.tsx` gives to what it opens, and is asked for. */
import type { ReactNode } from "react";

/** What an open dialog, drawer or menu is given. */
export interface Overlay<R = void> {
  /** False while it fades out. */
  open: boolean;
  /** Answers the caller that opened it, and starts to close. Without a value: dismissed. */
  close: (result?: R) => void;
  /** Throws at the caller that opened it, and starts to close. */
  fail: (error: unknown) => void;
  /** The view says that it has faded out and may go. */
  closed: () => void;
  /** What had the focus before, and gets it back. */
  returnTo: HTMLElement | null;
}

/** Opens a view; the promise is what it closes with, `undefined` when it was dismissed. */
export type Open = <R>(render: (overlay: Overlay<R>) => ReactNode) => Promise<R | undefined>;

/** What a question says. Texts are final, in the viewer's language. */
export interface Question {
  title: string;
  text?: ReactNode;
  /** Names what happens: "Delete", "Pause"; not "OK". */
  confirm?: string;
  /** It destroys or interrupts: the button is red and the focus starts on cancel. */
  danger?: boolean;
}
