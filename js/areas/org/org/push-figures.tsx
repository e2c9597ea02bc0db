/** What became of the leads that were delivered to an organisation, today and in the last seven days, on its page. */
import type { PushCounts, PushFigures, PushStatus } from "../../../lib/api-types";
import { count, percent, shareBp } from "../../../lib/format";
import { useT } from "../../../lib/i18n";
import { useLoaded } from "../../../lib/props";
import { buttonClass } from "../../../ui/button";

/** The statuses that have a column. */
const STATUSES = ["accepted", "rejected", "duplicate", "failed", "returned"] as const satisfies readonly PushStatus[];

export function PushesOfOrg({ id }: { id: number }) {
  const t = useT();
  const figures = useLoaded<PushFigures>("pushes");
  if (!figures) return null;
  const all = `/plan/push-list?orgId=${id}`;
  const { firstDay, lastDay, today, week } = figures;
  return (
    <>
      <div className="ll-table-box" role="group" aria-label={t("org.pushes")} tabIndex={0}>
        <table className="ll-table ll-compact">
          <thead>
            <tr>
              <th scope="col">{t("org.pushes.days")}</th>
              <th scope="col" className="ll-num">
                {t("org.pushes.all")}
              </th>
              {STATUSES.map((status) => (
                <th key={status} scope="col" className="ll-num">
                  {t(`PushStatus.${status}`)}
                </th>
              ))}
              <th scope="col" className="ll-num">
                {t("org.pushes.returnedShare")}
              </th>
            </tr>
          </thead>
          <tbody>
            <Days name={t("org.pushes.today")} counts={today} href={`${all}&createdFrom=${lastDay}&createdTo=${lastDay}`} />
            <Days name={t("org.pushes.week")} counts={week} href={`${all}&createdFrom=${firstDay}&createdTo=${lastDay}`} />
          </tbody>
        </table>
      </div>
      <div className="ll-toolbar mt-4">
        <a className={buttonClass()} href={all}>
          {t("org.pushes.open")}
        </a>
      </div>
    </>
  );
}

/** The figures of some days; each opens its deliveries. */
function Days({ name, counts, href }: { name: string; counts: PushCounts; href: string }) {
  const { accepted, returned } = counts;
  return (
    <tr>
      <th scope="row">{name}</th>
      <td className="ll-num">
        <Opened href={href} value={counts.all} />
      </td>
      {STATUSES.map((status) => (
        <td key={status} className="ll-num">
          <Opened href={`${href}&status=${status}`} value={counts[status]} />
        </td>
      ))}
      <td className="ll-num">{percent(shareBp(returned, accepted + returned))}</td>
    </tr>
  );
}

function Opened({ href, value }: { href: string; value: number }) {
  if (value === 0) return count(value);
  return (
    <a className="ll-link" href={href}>
      {count(value)}
    </a>
  );
}
