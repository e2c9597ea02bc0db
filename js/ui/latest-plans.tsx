/** The plans of an organisation or a product that changed last, on its page. */
import type { PlanNow } from "../lib/api-types";
import { EMPTY, money } from "../lib/format";
import { useT } from "../lib/i18n";
import { whyNot } from "../lib/plan-holds";
import { useLoaded } from "../lib/props";
import { buttonClass } from "./button";
import { planStatusColors } from "./plan-status-colors";
import { RecordLink } from "./record-link";
import { EnumTag } from "./tag";

interface LatestPlansProps {
  /** Name of the load that brings them. */
  load: string;
  /** The list of all plans of the same record. */
  all: string;
}

export function LatestPlans({ load, all }: LatestPlansProps) {
  const t = useT();
  const plans = useLoaded<PlanNow[]>(load) ?? [];
  if (plans.length === 0) return <p className="ll-quiet">{t("plan.noneHere")}</p>;
  return (
    <>
      <div className="ll-table-box" role="group" aria-label={t("plan.latest")} tabIndex={0}>
        <table className="ll-table ll-compact">
          <thead>
            <tr>
              <th scope="col">{t("plan.name")}</th>
              <th scope="col">{t("plan.status")}</th>
              <th scope="col">{t("plan.holds")}</th>
              <th scope="col" className="ll-num">
                {t("plan.price")}
              </th>
            </tr>
          </thead>
          <tbody>
            {plans.map((plan) => (
              <tr key={plan.id}>
                <th scope="row">
                  <RecordLink href={`/plan/list/${plan.id}`} point="plan/list/view" name={plan.name} />
                </th>
                <td>
                  <EnumTag labels="PlanStatus" value={plan.status} colors={planStatusColors} />
                </td>
                <td>{whyNot(plan, t) || EMPTY}</td>
                <td className="ll-num">{money(plan.priceCents)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="ll-toolbar mt-4">
        <a className={buttonClass()} href={all}>
          {t("plan.all")}
        </a>
      </div>
    </>
  );
}
