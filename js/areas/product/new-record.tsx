/** A new product for a form that has none to choose. A lazy chunk. */
import type { ProductRow } from "../../lib/api-types";
import { refreshChoices } from "../../lib/choices";
import type { Translate } from "../../lib/i18n";
import { choicesOf } from "../../ui/new-record";
import type { Open } from "../../ui/overlay";
import { productDialog } from "./product/form";

export async function makeProduct(open: Open, t: Translate, orgId: number) {
  const [orgs] = await Promise.all([choicesOf("/org/options"), refreshChoices()]);
  const made = await open<ProductRow>((overlay) => productDialog({ overlay, t, orgs, orgId }));
  // The organisation may have been changed in the form.
  return made?.orgId === orgId ? { value: made.id, label: made.name } : undefined;
}
