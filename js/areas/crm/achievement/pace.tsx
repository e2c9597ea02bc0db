/** Who is behind in a month: a row for each person, team or organisation, with what was reached against what is due by today. */
import type { ObjectPace } from "../../../lib/api-types";
import { achievementMetricCodes } from "../../../lib/codes";
import { EMPTY, percent } from "../../../lib/format";
import { useT } from "../../../lib/i18n";
import { labelOf } from "../../../ui/field";
import { Tag } from "../../../ui/tag";
import { valueText } from "./fields";

/** Rows that lack so much of what is due are marked in red; in basis points. */
const FAR_BEHIND = 2000;

interface PaceProps {
  title: string;
  hint: string;
  month: string;
  objects: readonly ObjectPace[];
}

export function Pace({ title, hint, month, objects }: PaceProps) {
  const t = useT();
  const metrics = achievementMetricCodes.filter((metric) =>
    objects.some(({ figures }) => figures.some((one) => one.metric === metric && (one.target !== null || one.actual !== 0))),
  );
  const areOfSeveral = objects.some(({ orgName }) => orgName !== objects[0]!.orgName);
  return (
    <section className="ll-card">
      <h2 className="ll-title">{title}</h2>
      <p className="ll-quiet">{hint}</p>
      <div className="ll-table-box" role="group" aria-label={title} tabIndex={0}>
        <table className="ll-table">
          <thead>
            <tr>
              <th scope="col">{t("achievement.objectName")}</th>
              <th scope="col">{t("achievement.subOrgName")}</th>
              {metrics.map((metric) => (
                <th key={metric} scope="col">
                  {t(`AchievementMetric.${metric}`)}
                </th>
              ))}
              <th scope="col" className="ll-num">
                {t("achievement.behind")}
              </th>
            </tr>
          </thead>
          <tbody>
            {objects.map(({ objectType, id, name, orgName, subOrgName, figures, behindBp }) => {
              const group = objectType === "person" ? subOrgName : labelOf(t, "AchievementObject", objectType);
              return (
                <tr key={`${objectType} ${id}`}>
                  <th scope="row">
                    <a className="ll-link" href={`/crm/achievements?month=${month}&objectType=${objectType}&objectId=${id}`}>
                      {name}
                    </a>
                  </th>
                  <td>{[areOfSeveral && objectType !== "company" && orgName, group].filter(Boolean).join(" · ") || EMPTY}</td>
                  {metrics.map((metric) => {
                    const figure = figures.find((one) => one.metric === metric);
                    return <td key={metric}>{figure ? <Bar {...figure} /> : EMPTY}</td>;
                  })}
                  <td className="ll-num">{behindBp === null ? EMPTY : <Behind bp={behindBp} />}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Behind({ bp }: { bp: number }) {
  return bp > 0 ? <Tag color={bp >= FAR_BEHIND ? "red" : "orange"}>{percent(bp)}</Tag> : percent(0);
}

/** What was reached of what is due; the whole target is in the title. */
function Bar({ metric, target, due, actual }: ObjectPace["figures"][number]) {
  const t = useT();
  if (due === null) return valueText(metric, actual);
  const most = Math.max(due, 1);
  return (
    <span className="crm-pace" title={t("achievement.whole", { target: valueText(metric, target) })}>
      {valueText(metric, actual)}
      <span className="ll-quiet"> / {valueText(metric, due)}</span>
      <progress max={most} value={Math.max(0, Math.min(actual, most))} aria-label={t(`AchievementMetric.${metric}`)} />
    </span>
  );
}
