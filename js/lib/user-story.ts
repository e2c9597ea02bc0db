/** An applicant's story in the order of time: arrival, checks, matching rounds, requests to organisations, sales, payments, feedback, returns. */
import type {
  FeedbackRow,
  LedgerLine,
  MatchDetail,
  PassedPlans,
  PushStatus,
  PushStory,
  ReturnRow,
  UserCheckResult,
  UserStory,
} from "./api-types";

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

/** Statuses of a lead that an organisation has bought or is about to get. */
const SOLD: readonly PushStatus[] = ["queued", "sending", "retrying", "unconfirmed", "accepted"];

/** What became of an applicant: the parts of the sentence that says it. */
export type Outcome =
  /** Sold, to the buyers that the viewer may see. */
  | { kind: "sold"; pushes: readonly PushStory[] }
  /** The plans that the latest round passed over, the reason of the most plans first, and the leads that were not accepted. */
  | { kind: "passed"; wasBought: boolean; plans: number; reasons: readonly PassedPlans[]; pushes: readonly PushStory[] }
  /** A check at intake stopped the applicant. */
  | { kind: "stopped"; check: UserCheckResult }
  /** The status says all that the viewer may know. */
  | { kind: "status" };

/** What became of an applicant, as far as the viewer may see it. */
export function outcomeOf({ status, checks, matches, pushes }: Pick<UserStory, "status" | "checks" | "matches" | "pushes">): Outcome {
  const isOpen = status === "completed" || status === "matching" || status === "unmatched";
  // A lead that was returned may be looked a plan for again.
  const bought = (pushes ?? []).filter((push) => SOLD.includes(push.status) || (push.status === "returned" && !isOpen));
  if (bought.length > 0) return { kind: "sold", pushes: bought };
  if (isOpen) {
    const round = (matches ?? []).findLast(({ direction }) => direction === "round");
    if (!round) return { kind: "status" };
    // A plan bought the lead in it, and the sale has ended since: its other plans were not asked.
    const reasons = round.status === "matched" ? [] : round.passedOver;
    const plans = reasons.reduce((sum, { plans: some }) => sum + some.length, 0);
    return { kind: "passed", wasBought: round.status === "matched", plans, reasons, pushes: pushes ?? [] };
  }
  const check = checks.find(({ outcome }) => outcome === "fail");
  return check ? { kind: "stopped", check } : { kind: "status" };
}
