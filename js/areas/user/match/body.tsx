/** What was asked and answered, and which plans were passed over. */
import type { MatchDetail, PassedPlans } from "../../../lib/api-types";
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
  const passed = passedOver.flatMap(({ reason, plans, conditions }): Detail[] => {
    const name = t(`PassedOver.${reason}`);
    const line = (why: string, some: PassedPlans["plans"]): Detail => [
      t("match.reasonCount", { reason: why, count: some.length }),
      <PlanLinks key={why} plans={some} />,
    ];
    const known = new Set(conditions.flatMap(({ planIds }) => planIds));
    const others = plans.filter(({ id }) => !known.has(id));
    return [
      ...conditions.map(({ text, planIds }) =>
        line(
          t("match.condition", { reason: name, condition: text }),
          plans.filter(({ id }) => planIds.includes(id)),
        ),
      ),
      ...(others.length > 0 ? [line(name, others)] : []),
    ];
  });
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
