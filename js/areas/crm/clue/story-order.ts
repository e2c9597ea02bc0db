/** The order of what happened to a clue, the latest first. */

/** What stands before what in the same minute: the times of an application and of its sale are written by different programs. */
export const STEPS = ["applied", "sold", "begun", "work"] as const;

/** Something that happened. */
export interface Happened {
  at: number;
  step: (typeof STEPS)[number];
}

const MINUTE = 60_000;
const minuteOf = ({ at }: Happened) => Math.floor(at / MINUTE);
const placeOf = ({ step }: Happened) => STEPS.indexOf(step);

/** The entries, the latest first; those of the same minute in the order in which they follow from each other. */
export const latestFirst = <Entry extends Happened>(entries: readonly Entry[]): Entry[] =>
  entries.toSorted((one, other) => minuteOf(other) - minuteOf(one) || placeOf(other) - placeOf(one) || other.at - one.at);
