/** A new payee channel for a form that has none to choose. A lazy chunk. */
import type { PayeeChannelRow } from "../../lib/api-types";
import type { Translate } from "../../lib/i18n";
import { choicesOf } from "../../ui/new-record";
import type { Open } from "../../ui/overlay";
import { channelDialog } from "./channel/form";

export async function makePayeeChannel(open: Open, t: Translate) {
  const payees = await choicesOf("/org/payee/options");
  const made = await open<PayeeChannelRow>((overlay) => channelDialog({ overlay, t, payees, row: undefined }));
  return made && { value: made.id, label: made.name };
}
