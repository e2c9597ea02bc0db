/** Whether the leads of a channel are sold, in a few sentences. */
import type { CapUsage, ChannelNow, ChannelTest } from "../../../lib/api-types";
import { capsSentence } from "../../../lib/caps";
import { localeOf, type MessageKey, type Translate } from "../../../lib/i18n";
import { isByUnit } from "./fields";

/** `test` is the latest test lead; it decides whether a channel in test mode may go live. */
export function stateOf(channel: ChannelNow, test: ChannelTest | null, t: Translate): string {
  const status = t(`ChannelStatus.${channel.status}`);
  const mode = channel.mode === "test" ? [t("channel.why.test"), t(liveness(test))] : [];
  if (channel.status !== "enabled") return [t(`channel.why.${channel.status}`, { status }), ...mode].join(" ");
  const full = channel.usage.filter((usage) => isFull(usage, channel)).map(({ cap }) => cap);
  if (full.length > 0) return [t("channel.why.full", { status, caps: capsSentence(full, localeOf(t)) }), ...mode].join(" ");
  if (channel.mode === "live") return t(channel.settleMode === "none" ? "channel.why.unsettled" : "channel.why.live", { status });
  return [t("channel.why.enabled", { status }), ...mode].join(" ");
}

/** Whether a cap has no room for one more lead at the channel's price. */
function isFull({ cap, usedCount, usedCents }: CapUsage, channel: ChannelNow): boolean {
  const cents = isByUnit(channel) ? channel.unitPriceCents : 0;
  return (cap.maxCount !== null && usedCount + 1 > cap.maxCount) || (cap.maxCents !== null && usedCents + cents > cap.maxCents);
}

function liveness(test: ChannelTest | null): MessageKey {
  if (test === null) return "channel.why.noTest";
  if (!test.passed) return "channel.why.testFailed";
  return test.current ? "channel.why.testPassed" : "channel.why.testOutdated";
}
