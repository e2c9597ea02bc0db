/** Items of a dictionary as choices of a form. */
import type { DictOption } from "./api-types";

/** The item that a form begins with: the one that the dictionary selects by default. */
export function defaultOf(options: readonly DictOption[]): string | null {
  return options.find(({ isDefault }) => isDefault)?.value ?? null;
}

/** The items that a form with several choices begins with. */
export function defaultsOf(options: readonly DictOption[]): string[] {
  return options.filter(({ isDefault }) => isDefault).map(({ value }) => value);
}
