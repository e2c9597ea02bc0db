/** The lists behind the numbers of statistics. */
import type { StatRow } from "../../lib/api-types";
import { formatQuery } from "../../lib/query-string";

export type Dimension = "channel" | "product" | "system" | "org";

/** What a row is about. */
export type RowAbout = Pick<StatRow, "firstDay" | "lastDay" | "subjectId" | "system">;

interface Around {
  by: Dimension;
  /** Whether the list of leads has the rows of this screen. */
  opensLeads: boolean;
  /** The filters of the page, by name. */
  filters: Readonly<Record<string, string>>;
}

interface Rows {
  href: string;
  point: string;
}

/** The list with the rows that a figure of a row adds up, and the permission point of that list. */
export function rowsBehind(figure: string, { firstDay, lastDay, subjectId, system }: RowAbout, { by, opensLeads, filters }: Around): Rows {
  const channelId = filters["channelId"];
  const orgId = by === "product" ? filters["orgId"] : null;
  const subject = by === "system" ? null : subjectId || filters["subjectId"];
  const from = system ?? filters["system"];
  // The lists of applicants and leads have no filter by system.
  if (!from && by === "channel" && figure === "applicants") {
    return list("/user/list", { channelId: subject, test: "no", createdFrom: firstDay, createdTo: lastDay });
  }
  // Leads without a product are in no row of products.
  const isListed = opensLeads && (by !== "product" || Boolean(subject));
  if (!from && isListed && (figure === "sales" || figure === "returns")) {
    const returnStatus = figure === "returns" ? "approved" : null;
    return list("/plan/push-list", { channelId, orgId, [`${by}Id`]: subject, returnStatus, soldFrom: firstDay, soldTo: lastDay });
  }
  const days = { system: from, dayFrom: firstDay, dayTo: lastDay };
  if (by === "system") return list("/channel/uv-list", { subjectId: channelId, ...days });
  return list(`/${by}/uv-list`, { subjectId: subject, channelId: by === "channel" ? null : channelId, orgId, ...days });
}

const list = (path: string, filters: Parameters<typeof formatQuery>[0]): Rows => ({ href: path + formatQuery(filters), point: `${path.slice(1)}/list` });
