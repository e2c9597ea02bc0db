/** What other areas take from administration. */
import type { AgreementOption } from "../../lib/api-types";
import type { NewRecord } from "../../ui/new-record";

export { routeText } from "./sms/route";

export const newAgreement: NewRecord<AgreementOption> = {
  route: "adminAgreement",
  point: "admin/agreement/create",
  none: "agreement.none",
  make: async (open, t) => (await import("./new-record")).makeAgreement(open, t),
};

/** An account of the organisation that is chosen, or of the platform where none is. */
export const newAccount: NewRecord = {
  route: "adminList",
  point: "admin/list/create",
  none: "admin.none",
  make: async (open, t, org) => (await import("./new-record")).makeAccount(open, t, org === undefined ? null : Number(org)),
};
