/** The lists behind the numbers of statistics. */
import type { StatRow } from "../../../lib/api-types";
import { formatQuery } from "../../../lib/query-string";

export type Dimension = "channel" | "product" | "system" | "org" | "score";

/** The days and the subject of a row. */
export type RowAbout = Pick<StatRow, "firstDay" | "lastDay" | "subjectId" | "system" | "star">;

interface Around {
  by: Dimension;
  /** Whether the lists of leads and of feedback have the rows of this screen. */
  opensLeads: boolean;
  opensFeedback: boolean;
  /** The filters of the page, by name. */
  filters: Readonly<Record<string, string>>;
}

interface Rows {
  href: string;
  point: string;
}

/** The status of the offers that a figure counts; null for all. */
const OFFERS: Readonly<Record<string, string | null>> = {
  pushed: null,
  testPushed: null,
  duplicates: "duplicate",
  failed: "failed",
  refused: "rejected",
};
/** Leads that were sold, and figures of test leads. */
const SALES: readonly string[] = ["sales", "testSales"];
const TEST: readonly string[] = ["testPushed", "testSales"];
const STARS: readonly string[] = ["stars0", "stars1", "stars2", "stars3"];
/** Stages that clues reach, which are filters of their list. */
const REACHED: readonly string[] = ["contacted", "visited", "signed", "disbursed"];
/** Figures of leads that were returned. */
const RETURNED: readonly string[] = ["returns", "refundCents"];
/** Figures that depend on the day on which returns count; the days of visits count them on the day of the sale. */
const BY_DECISION: readonly string[] = ["costCents", "incomeCents", "marginCents", "returns", "refundCents"];
/** Figures that the days of visits have. */
const BY_DAY: readonly string[] = [
  "exposures",
  "visits",
  "visitors",
  "applicants",
  "passed",
  "matched",
  "sales",
  "returns",
  "costCents",
  "incomeCents",
  "marginCents",
];

/** The list of the rows that a figure adds up, and the permission point of that list; null if there is none. */
export function rowsBehind(figure: string, about: RowAbout, around: Around): Rows | null {
  const { by, filters } = around;
  // The lists of applicants, leads and clues have no filter by system.
  const system = about.system ?? filters["system"];
  return (system ? null : ownList(figure, about, around)) ?? (by === "score" ? null : dayList(figure, about, by, filters, system));
}

/** Applicants, leads, feedback, clues and money. */
function ownList(
  figure: string,
  { firstDay, lastDay, subjectId, star }: RowAbout,
  { by, opensLeads, opensFeedback, filters }: Around,
): Rows | null {
  const subject = subjectId || filters["subjectId"];
  const channelId = by === "channel" ? subject : filters["channelId"];
  const orgId = by === "org" ? subject : by === "channel" ? null : filters["orgId"];
  const productId = by === "product" ? subject : null;
  const created = { createdFrom: firstDay, createdTo: lastDay };
  if (figure === "applicants") {
    return by === "channel" || (by === "score" && !orgId) ? list("/user/list", { channelId, star, test: "no", ...created }) : null;
  }
  const stars = STARS.indexOf(figure);
  // Feedback without a lead is in no row of organisations.
  if (stars >= 0)
    return opensFeedback && (by !== "org" || subject)
      ? list("/user/feedback-list", { channelId, orgId, star: stars, test: "no", ...created })
      : null;
  if (figure === "moneyCents") {
    return channelId ? null : list("/crm/money", { orgId, status: "confirmed", paidFrom: firstDay, paidTo: lastDay });
  }
  // Leads without a product are in no row of products.
  if (!opensLeads || (by === "product" && !subject)) return null;
  if (REACHED.includes(figure)) return list("/crm/clue", { channelId, orgId, reached: figure, userStar: star, test: "no", ...created });
  const of = { channelId, orgId, productId, userStar: star, test: TEST.includes(figure) ? "yes" : "no" };
  const offered = OFFERS[figure];
  if (offered !== undefined) return list("/plan/push-list", { ...of, status: offered, ...created });
  if (RETURNED.includes(figure)) {
    const days =
      filters["returnsBy"] === "decision" ? { decidedFrom: firstDay, decidedTo: lastDay } : { soldFrom: firstDay, soldTo: lastDay };
    return list("/plan/push-list", { ...of, returnStatus: "approved", ...days });
  }
  return SALES.includes(figure) ? list("/plan/push-list", { ...of, soldFrom: firstDay, soldTo: lastDay }) : null;
}

/** Visits by day, which have the same figures. */
function dayList(
  figure: string,
  { firstDay, lastDay, subjectId }: RowAbout,
  by: Dimension,
  filters: Around["filters"],
  system: string | undefined,
): Rows | null {
  if (!BY_DAY.includes(figure) || (filters["returnsBy"] === "decision" && BY_DECISION.includes(figure))) return null;
  const days = { system, dayFrom: firstDay, dayTo: lastDay };
  if (by === "system") return list("/channel/uv-list", { subjectId: filters["channelId"], ...days });
  const subject = subjectId || filters["subjectId"];
  const orgId = by === "product" ? filters["orgId"] : null;
  return list(`/${by}/uv-list`, { subjectId: subject, channelId: by === "channel" ? null : filters["channelId"], orgId, ...days });
}

const list = (path: string, filters: Parameters<typeof formatQuery>[0]): Rows => ({
  href: path + formatQuery(filters),
  point: `${path.slice(1)}/list`,
});
