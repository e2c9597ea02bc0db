/** A new payee for a form that has none to choose. A lazy chunk. */
import type { PayeeRow } from "../../../lib/api-types";
import type { Translate } from "../../../lib/i18n";
import type { Open } from "../../../ui/overlay";
import { payeeDialog } from "./form";

export async function makePayee(open: Open, t: Translate) {
  const made = await open<PayeeRow>((overlay) => payeeDialog({ overlay, t, row: undefined }));
  return made && { value: made.id, label: made.name };
}
