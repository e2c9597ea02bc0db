/** A new organisation for a form that has none to choose. A lazy chunk. */
import type { OrgRow } from "../../lib/api-types";
import type { Translate } from "../../lib/i18n";
import { choicesOf } from "../../ui/new-record";
import type { Open } from "../../ui/overlay";
import { orgDialog } from "./org/form";

export async function makeOrg(open: Open, t: Translate) {
  const [owners, payees] = await Promise.all([choicesOf("/admin/options"), choicesOf("/org/payee/options")]);
  const made = await open<OrgRow>((overlay) => orgDialog({ overlay, t, choices: { owners, payees }, row: undefined }));
  return made && { value: made.id, label: made.name };
}
