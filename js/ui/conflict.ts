/**
 * Two people edit one record. Three copies meet: what I opened (`base`), what I
 * have typed (`mine`) and what the record is by now (`theirs`).
 */
import { ApiError } from "../lib/api";

export const CONFLICT = "1005";

/** The refusal of what is about a record as it was read: as that has changed, there is nothing to merge. */
export class Stale extends ApiError {}

/** An error of saving such a thing. */
export function unmergeable(error: unknown): unknown {
  return error instanceof ApiError && error.code === CONFLICT ? new Stale(error.code, error.desc, null) : error;
}

/** A field that somebody else changed since I opened the record. */
export interface Conflict {
  name: string;
  base: unknown;
  mine: unknown;
  theirs: unknown;
  /** I changed it as well, to something else: saving again overwrites theirs. */
  clash: boolean;
}

type Values = Readonly<Record<string, unknown>>;

/** Whether two field values are the same; lists of ids or lines are compared as lists. */
function same(a: unknown, b: unknown): boolean {
  return Object.is(a ?? null, b ?? null) || JSON.stringify(a) === JSON.stringify(b);
}

/** Which of the named fields changed under my hands. */
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

/** My changes laid over their record: what I did not touch is theirs. */
export function keepMine(names: readonly string[], base: Values, mine: Values, theirs: Values): Record<string, unknown> {
  return Object.fromEntries(
    names.map((name) => [name, same(mine[name], base[name]) ? theirs[name] : mine[name]]),
  );
}
