/**
 * How a form offers to make a record where it has none to choose from. The area of the record exports one in its share.ts, which loads the
 * area's new-record.tsx: what that names is not among the texts of pages of other areas (app/texts.mjs).
 */
import { api } from "../lib/api";
import type { SelectOption } from "../lib/api-types";
import type { Choice } from "../lib/choice";
import type { MessageKey, Translate } from "../lib/i18n";
import type { Open } from "./overlay-types";

export interface NewRecord<Made extends Choice = Choice> {
  /** The route of its list, whose texts its form needs. */
  route: string;
  /** The point of those who may make one. */
  point: string;
  /** That there is none yet. */
  none: MessageKey;
  /**
   * Opens the form of a new one over the present form, and resolves with the choice that it has become. `parent` is the value of the field
   * that the choices depend on.
   */
  make: (open: Open, t: Translate, parent?: string) => Promise<Made | undefined>;
}

/** Choices of a form that its page has not loaded; none for viewers who may not read them. */
export async function choicesOf(path: string): Promise<readonly SelectOption[]> {
  try {
    return await api.get<SelectOption[]>(path, undefined, { quiet: true });
  } catch {
    return [];
  }
}
