/** A new service group for a form that has none to choose. A lazy chunk. */
import type { ChatGroupRow } from "../../lib/api-types";
import type { Translate } from "../../lib/i18n";
import type { Open } from "../../ui/overlay";
import { groupDialog } from "./group/form";

export async function makeGroup(open: Open, t: Translate) {
  const made = await open<ChatGroupRow>((overlay) => groupDialog({ overlay, t, row: undefined }));
  return made && { value: made.id, label: made.name };
}
