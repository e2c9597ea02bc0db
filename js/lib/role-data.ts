/** The viewer's menu and points, which the document names by their key. */

import type { RoleData } from "./types";

/** Fetches them; a browser keeps them. Without a session there are none: the server then shows the login page. */
export async function fetchRoleData(key: string): Promise<RoleData> {
  const answer = await fetch(`/role-data/${key}`);
  if (answer.status === 401) location.reload();
  if (!answer.ok) throw new Error(`the menu could not be fetched: ${answer.status}`);
  return (await answer.json()) as RoleData;
}
