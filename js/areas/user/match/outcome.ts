/** What came of a question or a round, in a few sentences. */
import type { MatchDetail } from "../../../lib/api-types";
import { EMPTY, money } from "../../../lib/format";
import type { Translate } from "../../../lib/i18n";
import { reasonText } from "../passed";

export function outcomeOf(match: MatchDetail, t: Translate): string {
  const { direction, channelName, planName, orgName, bidCents, costMs, passedOver } = match;
  const status = t(`MatchStatus.${match.status}`);
  const [plan, org] = [planName ?? EMPTY, orgName ?? EMPTY];
  const answer = () => {
    switch (direction) {
      case "inbound":
        return t("match.why.inbound", { channel: channelName, status });
      case "outbound":
        return t("match.why.outbound", { plan, org, status, ms: costMs });
      case "round":
        return match.status === "matched"
          ? t("match.why.bought", { status, plan, org, price: money(bidCents) })
          : t("match.why.round", { status });
    }
  };
  const count = passedOver.reduce((sum, { plans }) => sum + plans.length, 0);
  const reasons = passedOver.map((passed) => reasonText(passed, t));
  return [answer(), ...(count > 0 ? [t("match.why.passed", { count, reasons: reasons.join(t("ui.comma")) })] : [])].join(" ");
}
