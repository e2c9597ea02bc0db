/**
 * Two people edit one record. There are three copies: the one that this user opened (`base`), the one that they
 * have typed (`mine`) and the record as it is now (`theirs`).
 */
import { ApiError } from "../lib/api";

export const CONFLICT = "1005";

/** The refusal of a step that is about the record as it was read: the record has changed, and there is nothing to merge. */
export class Stale extends ApiError {}

/** The error of such a step: a conflict becomes `Stale`. */
export function unmergeable(error: unknown): unknown {
  return error instanceof ApiError && error.code === CONFLICT ? new Stale(error.code, error.desc, null) : error;
}

/** A field that another person changed since this user opened the record. */
export interface Conflict {
  name: string;
  base: unknown;
  mine: unknown;
  theirs: unknown;
  /** This user changed it too, to another value: saving again overwrites the other person's. */
  clash: boolean;
}

type Values = Readonly<Record<string, unknown>>;

/** Whether two field values are the same; lists of ids or lines are compared as lists. */
function same(a: unknown, b: unknown): boolean {
  return Object.is(a ?? null, b ?? null) || JSON.stringify(a) === JSON.stringify(b);
}

/** The named fields that another person changed meanwhile. */
export function conflictsOf(names: readonly string[], base: Values, mine: Values, theirs: Values): Conflict[] {
  return names
    .filter((name) => !same(base[name], theirs[name]))
    .map((name) => ({
      name,
      base: base[name],
      mine: mine[name],
      theirs: theirs[name],
      clash: !same(mine[name], base[name]) && !same(mine[name], theirs[name]),
    }));
}

/** This user's changes on top of the current record; fields that they did not change keep its values. */
export function keepMine(names: readonly string[], base: Values, mine: Values, theirs: Values): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, same(mine[name], base[name]) ? theirs[name] : mine[name]]));
}
