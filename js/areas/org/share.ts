/** What other areas take from organisations and payees. */
import type { NewRecord } from "../../ui/new-record";

export const newOrg: NewRecord = {
  route: "orgList",
  point: "org/list/create",
  none: "org.none",
  make: async (open, t) => (await import("./new-record")).makeOrg(open, t),
};

export const newPayee: NewRecord = {
  route: "orgPayee",
  point: "org/payee/create",
  none: "payee.none",
  make: async (open, t) => (await import("./new-record")).makePayee(open, t),
};
