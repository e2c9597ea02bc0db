/** An applicant's story in the order of time: what came, what was checked, who was asked, who bought, what was paid, what was said of him, what was given back. */
import type { FeedbackRow, LedgerLine, MatchDetail, PushStory, ReturnRow, UserStory } from "./api-types";

/** Something that happened; `at` in epoch milliseconds. */
export type StoryEvent =
  | { kind: "came"; at: number }
  | { kind: "checked"; at: number }
  /** Plans were looked for, for the `number`th time. */
  | { kind: "round"; at: number; number: number; match: MatchDetail }
  /** An organisation was asked. */
  | { kind: "asked"; at: number; match: MatchDetail }
  | { kind: "sold"; at: number; push: PushStory }
  | { kind: "paid"; at: number; line: LedgerLine }
  | { kind: "said"; at: number; feedback: FeedbackRow }
  | { kind: "returned"; at: number; row: ReturnRow };

/** Of two at the same moment, the one that leads to the other. */
const ORDER: readonly StoryEvent["kind"][] = ["came", "checked", "round", "asked", "sold", "paid", "said", "returned"];

/** All that happened and the viewer may see, the first first: parts that are not for him are null, and nothing is said of them. */
export function eventsOf({ createdAt, checks, matches, pushes, money, feedback, returns }: UserStory): StoryEvent[] {
  const rounds = (matches ?? []).filter(({ direction }) => direction === "round");
  const asked = (matches ?? []).filter(({ direction }) => direction === "outbound");
  const events: StoryEvent[] = [
    { kind: "came", at: createdAt },
    ...(checks.length > 0 ? [{ kind: "checked", at: createdAt } as const] : []),
    // A round is written down when it ends, and told when it began: before what came of it.
    ...rounds.map((match, index) => ({ kind: "round", at: Math.max(createdAt, match.createdAt - match.costMs), number: index + 1, match }) as const),
    ...asked.map((match) => ({ kind: "asked", at: match.createdAt, match }) as const),
    ...(pushes ?? []).map((push) => ({ kind: "sold", at: push.createdAt, push }) as const),
    ...(money ?? []).map((line) => ({ kind: "paid", at: line.at, line }) as const),
    ...(returns ?? []).map((row) => ({ kind: "returned", at: row.createdAt, row }) as const),
    ...(feedback ?? []).map((said) => ({ kind: "said", at: said.createdAt, feedback: said }) as const),
  ];
  return events.toSorted((one, other) => one.at - other.at || ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind));
}

/** What organisations paid for him in all, in fen; null when nobody paid. */
export function earnedOf(money: readonly LedgerLine[]): number | null {
  return money.length === 0 ? null : -money.reduce((sum, { amountCents }) => sum + amountCents, 0);
}

/** Whether the story goes on by itself at this moment. */
export function goesOn({ status, pushes }: Pick<UserStory, "status" | "pushes">): boolean {
  return status === "matching" || (pushes ?? []).some((push) => push.status === "queued" || push.status === "sending");
}
