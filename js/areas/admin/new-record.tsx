/** New agreements and accounts for forms that have none to choose. A lazy chunk. */
import type { AgreementDetail } from "../../lib/api-types";
import type { Translate } from "../../lib/i18n";
import { choicesOf } from "../../ui/new-record";
import type { Open } from "../../ui/overlay";
import { createAdmin, type NewAccount, showPassword } from "./account/form";
import { agreementDialog } from "./agreement/form";

/** Its choice has the code and the edition too, by which a consent names it. */
export async function makeAgreement(open: Open, t: Translate) {
  const made = await open<AgreementDetail>((overlay) => agreementDialog({ overlay, t, row: undefined }));
  return made && { value: made.id, label: `${made.name} ${made.edition}`, code: made.code, edition: made.edition, valid: true };
}

export async function makeAccount(open: Open, t: Translate, org: number | null) {
  const [roles, orgs] = await Promise.all([choicesOf("/role/options"), choicesOf("/org/options")]);
  const made = await open<NewAccount>((overlay) => createAdmin({ overlay, t, choices: { roles, orgs, orgId: org } }));
  if (!made) return undefined;
  await showPassword(made, { t, open });
  // The organisation may have been changed in the form.
  return made.orgId === org ? { value: made.id, label: made.username } : undefined;
}
