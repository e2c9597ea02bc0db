/** How forms make a payee where there is none to choose. */
import type { NewRecord } from "../../../ui/new-record";

export const newPayee: NewRecord = {
  route: "orgPayee",
  point: "org/payee/create",
  none: "payee.none",
  make: async (open, t) => (await import("./new-record")).makePayee(open, t),
};
