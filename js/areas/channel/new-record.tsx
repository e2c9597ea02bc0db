/** A new channel for a form that has none to choose. A lazy chunk. */
import type { ChannelSecret } from "../../lib/api-types";
import { refreshChoices } from "../../lib/choices";
import type { Translate } from "../../lib/i18n";
import { choicesOf } from "../../ui/new-record";
import type { Open } from "../../ui/overlay";
import { createChannel, showSecret } from "./channel/form";

export async function makeChannel(open: Open, t: Translate) {
  const [owners] = await Promise.all([choicesOf("/admin/options"), refreshChoices()]);
  const made = await open<ChannelSecret & { name: string }>((overlay) => createChannel({ overlay, t, owners }));
  if (!made) return undefined;
  await showSecret(made, { t, open });
  return { value: made.id, label: made.name };
}
