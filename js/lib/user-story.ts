/** An applicant's story in the order of time: arrival, checks, matching rounds, requests to organisations, sales, payments, feedback, returns. */
import type { FeedbackRow, LedgerLine, MatchDetail, PushStory, ReturnRow, UserStory } from "./api-types";

/** Something that happened; `at` in epoch milliseconds. */
export type StoryEvent =
  | { kind: "came"; at: number }
  | { kind: "checked"; at: number }
  /** A matching round, the `number`th. */
  | { kind: "round"; at: number; number: number; match: MatchDetail }
  /** A request to an organisation. */
  | { kind: "asked"; at: number; match: MatchDetail }
  | { kind: "sold"; at: number; push: PushStory }
  | { kind: "paid"; at: number; line: LedgerLine }
  | { kind: "said"; at: number; feedback: FeedbackRow }
  | { kind: "returned"; at: number; row: ReturnRow };

/** The order of events at the same moment: causes before their effects. */
const ORDER: readonly StoryEvent["kind"][] = ["came", "checked", "round", "asked", "sold", "paid", "said", "returned"];

/** All events that the viewer may see, the earliest first. Parts that the viewer may not see are null and give no events. */
export function eventsOf({ createdAt, checks, matches, pushes, money, feedback, returns }: UserStory): StoryEvent[] {
  const rounds = (matches ?? []).filter(({ direction }) => direction === "round");
  const requests = (matches ?? []).filter(({ direction }) => direction === "outbound");
  const events: StoryEvent[] = [
    { kind: "came", at: createdAt },
    ...(checks.length > 0 ? [{ kind: "checked", at: createdAt } as const] : []),
    // A round is recorded when it ends, but shown at its beginning: before its results.
    ...rounds.map(
      (match, index) => ({ kind: "round", at: Math.max(createdAt, match.createdAt - match.costMs), number: index + 1, match }) as const,
    ),
    ...requests.map((match) => ({ kind: "asked", at: match.createdAt, match }) as const),
    ...(pushes ?? []).map((push) => ({ kind: "sold", at: push.createdAt, push }) as const),
    ...(money ?? []).map((line) => ({ kind: "paid", at: line.at, line }) as const),
    ...(returns ?? []).map((row) => ({ kind: "returned", at: row.createdAt, row }) as const),
    ...(feedback ?? []).map((row) => ({ kind: "said", at: row.createdAt, feedback: row }) as const),
  ];
  return events.toSorted((one, other) => one.at - other.at || ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind));
}

/** The sum that organisations paid for the applicant, in fen; null when none paid. */
export function earnedOf(money: readonly LedgerLine[]): number | null {
  return money.length === 0 ? null : -money.reduce((sum, { amountCents }) => sum + amountCents, 0);
}

/** Whether more events will follow without anyone's action. */
export function goesOn({ status, pushes }: Pick<UserStory, "status" | "pushes">): boolean {
  return status === "matching" || (pushes ?? []).some((push) => push.status === "queued" || push.status === "sending");
}
