/** Who sees an announcement and when, in a sentence. */
import type { NoticeRow } from "../../../lib/api-types";
import { minute } from "../../../lib/format";
import { labelOf } from "../../../ui/field";
import type { Translate } from "../../../lib/i18n";

export function stateOf({ status, scope, audience, publishAt, expiresAt }: NoticeRow, t: Translate): string {
  const words = {
    status: labelOf(t, "notice.status", status),
    audience: audience ?? labelOf(t, "NoticeScope", scope),
    from: minute(publishAt),
    until: expiresAt === null ? "" : minute(expiresAt),
  };
  return t(`notice.state.${status === "published" && expiresAt !== null ? "until" : status}`, words);
}
