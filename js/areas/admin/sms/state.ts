/** Whether a short message arrived, and what can be done, in a sentence. */
import type { SmsRow } from "../../../lib/api-types";
import { minute } from "../../../lib/format";
import type { Translate } from "../../../lib/i18n";
import { labelOf } from "../../../ui/field";

/** A person decides on messages that failed or are in doubt. */
export const isOpen = ({ state }: SmsRow) => state === "failed" || state === "unconfirmed";
export const isExpiredCode = ({ kind, expiresAt }: SmsRow) => kind === "code" && (expiresAt ?? 0) <= Date.now();

export function stateOf(row: SmsRow, t: Translate): string {
  const { state, lastError, acceptedAt, reportedAt } = row;
  const known = state === "failed" && lastError !== null ? "fault" : state;
  return t(`sms.state.${isOpen(row) && isExpiredCode(row) ? "late" : known}`, {
    status: t(`SmsState.${state}`),
    fault: lastError === null ? "" : labelOf(t, "push.fault", lastError),
    accepted: minute(acceptedAt),
    reported: minute(reportedAt),
  });
}
