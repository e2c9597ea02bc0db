/** How far feedback was handled, and whether the channel has its callback, in a few sentences. */
import type { FeedbackRow } from "../../../lib/api-types";
import { EMPTY, time } from "../../../lib/format";
import type { Translate } from "../../../lib/i18n";

/** Whether no more callbacks are tried and a person has to decide. */
export function waits({ callbackStatus }: Pick<FeedbackRow, "callbackStatus">): boolean {
  return callbackStatus === "failed" || callbackStatus === "unconfirmed";
}

/** The sentences; `mayHandle`: the viewer decides on failed callbacks, and reads what to do. */
export function stateOf(row: FeedbackRow, t: Translate, mayHandle: boolean): string {
  const { handleStatus, handlerName, handledAt, callbackStatus, callbackAttempts, channelName, sentToChannelAt } = row;
  const status = t(`HandleStatus.${handleStatus}`);
  return [
    t(`feedback.why.${handleStatus}`, { status, name: handlerName ?? EMPTY, at: time(handledAt) }),
    t(`feedback.why.callback.${callbackStatus}`, { channel: channelName, count: callbackAttempts, at: time(sentToChannelAt) }),
    ...(mayHandle && waits(row) ? [t("feedback.why.decide")] : []),
  ].join(" ");
}
