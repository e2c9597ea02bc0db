/** The types of `overlay.tsx`: what it passes to a view, and the questions that it asks. */
import type { ReactNode } from "react";

/** The state and the functions that an open dialog, drawer or menu gets. */
export interface Overlay<R = void> {
  /** False while it fades out. */
  open: boolean;
  /** Answers the caller that opened it, and starts to close. Without a value: dismissed. */
  close: (result?: R) => void;
  /** Throws at the caller that opened it, and starts to close. */
  fail: (error: unknown) => void;
  /** The view calls this when it has faded out and can be removed. */
  closed: () => void;
  /** The element that had the focus before, and gets it back. */
  returnTo: HTMLElement | null;
}

/** Opens a view; resolves with the value that it closes with, `undefined` when it was dismissed. */
export type Open = <R>(render: (overlay: Overlay<R>) => ReactNode) => Promise<R | undefined>;

/** The texts of a question, already in the viewer's language. */
export interface Question {
  title: string;
  text?: ReactNode;
  /** Names what happens: "Delete", "Pause"; not "OK". */
  confirm?: string;
  /** It destroys or interrupts: the button is red and the focus starts on cancel. */
  danger?: boolean;
}
