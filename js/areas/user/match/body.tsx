/** What was asked and answered, and which plans were passed over. */
import type { MatchDetail } from "../../../lib/api-types";
import { useT } from "../../../lib/i18n";
import { type Detail, Details } from "../../../ui/details";
import { PlanLinks } from "../../plan/share";

export function MatchBody({ match: { request, response, passedOver } }: { match: MatchDetail }) {
  const t = useT();
  const exchanged: [string, string | null][] = [
    [t("match.request"), request],
    [t("match.response"), response],
  ];
  const exchange = exchanged.filter(([, text]) => text).map(([label, text]): Detail => [label, <code key={label}>{text}</code>]);
  const passed = passedOver.map(({ reason, plans }): Detail => [
    t("match.reasonCount", { reason: t(`PassedOver.${reason}`), count: plans.length }),
    <PlanLinks key={reason} plans={plans} />,
  ]);
  return (
    <div className="ll-stack">
      {exchange.length > 0 && <Details items={exchange} />}
      {passed.length > 0 && (
        <>
          <p className="ll-quiet">{t("match.passedOver", { count: passedOver.reduce((sum, { plans }) => sum + plans.length, 0) })}</p>
          <Details items={passed} />
        </>
      )}
    </div>
  );
}
