/** The common part of the editors of terms: they are inputs of a form whose value is JSON. */
import type { FocusEvent } from "react";

import type { RulesOf } from "../lib/terms-table";
import type { Wrong } from "../lib/terms-wrong";

export interface TermsEditorProps {
  /** JSON, or empty for none. */
  text: string;
  onChange: (text: string) => void;
  /** The focus has left the editor. */
  onBlur: () => void;
  labelledBy: string;
  describedBy: string | undefined;
  fixed: boolean | undefined;
  /** The value was refused after the editor was left or the form was saved: its faults are shown. */
  tried?: boolean | undefined;
  /** The subject of the rules; absent: applicants. */
  of?: RulesOf | undefined;
}

/** Reads an editor's value; none is null. */
export function valueOf<Value>(text: string): Value | null {
  return text === "" ? null : (JSON.parse(text) as Value);
}

/** The value as the form holds it. */
export function textOf(value: unknown): string {
  return value === null || value === undefined ? "" : JSON.stringify(value);
}

/** Calls `left` when the focus goes elsewhere, not from one part of the editor to another. */
export function onLeave(left: () => void) {
  return ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
    if (!currentTarget.contains(relatedTarget)) left();
  };
}

/** The fault at a place. */
export function wrongAt(wrong: readonly Wrong[], place: string): string | undefined {
  return wrong.find((one) => one.place === place)?.message;
}
