/** Who may be assigned clues. */
import type { AssignPerson, ClueRow } from "../../../lib/api-types";
import { api } from "../../../lib/api";

/** The active salespeople of the clues' organisations. A call for each: what the server lists at most then counts for each of them. */
export async function peopleFor(rows: readonly Pick<ClueRow, "orgId">[]): Promise<readonly AssignPerson[]> {
  const orgs = [...new Set(rows.map(({ orgId }) => orgId))];
  const lists = await Promise.all(orgs.map((orgId) => api.get<AssignPerson[]>("/crm/assign/people", { orgId: String(orgId) })));
  return lists.flat();
}
