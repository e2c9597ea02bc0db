/** The viewer's menu and points, which the document names by their key. */

import type { RoleData } from "./types";

/** Pauses before each try, in milliseconds. */
const TRIES = [0, 300, 1500, 5000];

/** Session storage: the key for which a document was loaded again. */
const RELOADED = "roleData";

/** Returns them from the document if it has them, else from the server; a browser keeps that answer. */
export async function loadRoleData(key: string): Promise<RoleData> {
  const given = document.getElementById("role-data")?.textContent;
  if (given) return JSON.parse(given) as RoleData;
  for (const pause of TRIES) {
    if (pause > 0) await new Promise((done) => setTimeout(done, pause));
    const answer = await fetch(`/role-data/${key}`).catch(() => null);
    if (answer?.ok) {
      sessionStorage.removeItem(RELOADED);
      return (await answer.json()) as RoleData;
    }
    if (answer && answer.status < 500) {
      loadDocumentAgain(key);
      break;
    }
  }
  throw new Error("the menu could not be loaded");
}

/** The session has ended, or the role has changed since the document was sent. Once: the page works without scripts too. */
function loadDocumentAgain(key: string) {
  if (sessionStorage.getItem(RELOADED) === key) return;
  sessionStorage.setItem(RELOADED, key);
  location.replace(location.pathname + location.search);
}
