/** What other areas take from organisations and payees. */
import type { NewRecord } from "../../ui/new-record";

export { newPayee } from "./payee/new";

export const newOrg: NewRecord = {
  route: "orgList",
  point: "org/list/create",
  none: "org.none",
  make: async (open, t) => (await import("./new-record")).makeOrg(open, t),
};
