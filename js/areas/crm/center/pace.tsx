/** Who is behind this month: a row for each person, with what was reached against what is due by today. */
import type { AchievementMetric, PersonPace } from "../../../lib/api-types";
import { achievementMetricCodes } from "../../../lib/codes";
import { count, EMPTY, money, percent } from "../../../lib/format";
import { useT } from "../../../lib/i18n";
import { Tag } from "../../../ui/tag";

/** A value of a metric: yuan, or a number. */
export const metricText = (metric: AchievementMetric, value: number) =>
  metric === "loan_amount" || metric === "fee_received" ? money(value) : count(value);

export function Pace({ people, month }: { people: readonly PersonPace[]; month: string }) {
  const t = useT();
  const metrics = achievementMetricCodes.filter((metric) => people.some(({ figures }) => figures.some((one) => one.metric === metric)));
  return (
    <section className="ll-card mt-4">
      <h2 className="ll-title">{t("center.pace")}</h2>
      <p className="ll-quiet">{t("center.paceHint")}</p>
      <div className="ll-table-box" role="group" aria-label={t("center.pace")} tabIndex={0}>
        <table className="ll-table">
          <thead>
            <tr>
              <th scope="col">{t("center.person")}</th>
              <th scope="col">{t("center.team")}</th>
              {metrics.map((metric) => (
                <th key={metric} scope="col">
                  {t(`AchievementMetric.${metric}`)}
                </th>
              ))}
              <th scope="col" className="ll-num">
                {t("center.behind")}
              </th>
            </tr>
          </thead>
          <tbody>
            {people.map(({ id, name, subOrgName, figures, behindBp }) => (
              <tr key={id}>
                <th scope="row">
                  <a className="ll-link" href={`/crm/achievements?month=${month}&objectType=person&objectId=${id}`}>
                    {name}
                  </a>
                </th>
                <td>{subOrgName ?? EMPTY}</td>
                {metrics.map((metric) => {
                  const figure = figures.find((one) => one.metric === metric);
                  return <td key={metric}>{figure ? <Bar {...figure} /> : EMPTY}</td>;
                })}
                <td className="ll-num">{behindBp > 0 ? <Tag color="red">{percent(behindBp)}</Tag> : percent(0)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** What was reached of what is due; the whole target is in the title. */
function Bar({ metric, target, due, actual }: PersonPace["figures"][number]) {
  const t = useT();
  const most = Math.max(due, 1);
  return (
    <span className="crm-pace" title={t("center.target", { target: metricText(metric, target) })}>
      {metricText(metric, actual)}
      <span className="ll-quiet"> / {metricText(metric, due)}</span>
      <progress max={most} value={Math.max(0, Math.min(actual, most))} aria-label={t(`AchievementMetric.${metric}`)} />
    </span>
  );
}
