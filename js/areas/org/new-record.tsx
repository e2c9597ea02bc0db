/** New organisations and payees for forms that have none to choose. A lazy chunk. */
import type { OrgRow, PayeeRow } from "../../lib/api-types";
import type { Translate } from "../../lib/i18n";
import { choicesOf } from "../../ui/new-record";
import type { Open } from "../../ui/overlay";
import { orgDialog } from "./org/form";
import { payeeDialog } from "./payee/form";

export async function makeOrg(open: Open, t: Translate) {
  const [owners, payees] = await Promise.all([choicesOf("/admin/options"), choicesOf("/org/payee/options")]);
  const made = await open<OrgRow>((overlay) => orgDialog({ overlay, t, choices: { owners, payees }, row: undefined }));
  return made && { value: made.id, label: made.name };
}

export async function makePayee(open: Open, t: Translate) {
  const made = await open<PayeeRow>((overlay) => payeeDialog({ overlay, t, row: undefined }));
  return made && { value: made.id, label: made.name };
}
