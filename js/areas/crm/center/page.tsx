/** /crm/center: the work of a salesperson today; for team leads and managers, that of their people. */
import type { Center as Answer, CenterMonth, ClueRow, OwnSales, PersonDay } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { count } from "../../../lib/format";
import { useT } from "../../../lib/i18n";
import { placeText } from "../../../lib/places";
import { usePageData, useViewer } from "../../../lib/props";
import { useActions } from "../../../ui/actions";
import { Button } from "../../../ui/button";
import { FailedList } from "../../../ui/list-state";
import { EnumTag, Tag } from "../../../ui/tag";
import { testTag } from "../../../ui/test-tag";
import { LowBalance } from "../../finance/share";
import { valueText } from "../achievement/fields";
import { Pace } from "../achievement/pace";
import { nextContact, stageColors } from "../clue/fields";

export default function Center() {
  const answer = usePageData<Answer>("center");
  return answer.code === "0000" ? <Today center={answer.data} /> : <FailedList answer={answer} address="/crm/center" />;
}

function Today({ center: { me, figures, due, fresh, people, pace, month, lowBalanceCents, today } }: { center: Answer }) {
  const t = useT();
  const viewer = useViewer();
  return (
    <>
      <header className="ll-card flex flex-wrap items-center justify-between gap-3">
        <div>
          <h1 className="ll-title">{t("center.title", { name: viewer?.name ?? "" })}</h1>
          {me && <Terms me={me} />}
        </div>
        {me && <Receiving me={me} />}
      </header>
      {lowBalanceCents !== null && <LowBalance balanceCents={lowBalanceCents} />}
      <section className="work-figures mb-4" aria-label={t("center.figures")}>
        {figures.map(({ title, value, href }) => (
          <a key={href} className="ll-card work-figure" href={href}>
            <b>{count(value)}</b>
            <span>{title}</span>
          </a>
        ))}
      </section>
      {month && <MonthFigures month={month} />}
      <div className="work-lists">
        <Clues title="center.due" none="center.noDue" rows={due} all="/crm/clue?due=today&state=open&sort=nextFollowAt&order=asc" />
        <Clues title="center.fresh" none="center.noFresh" rows={fresh} all="/crm/clue?unseen=yes&state=open" />
      </div>
      {pace && pace.length > 0 && (
        <div className="mt-4">
          <Pace title={t("center.pace")} hint={t("achievement.paceHint")} month={today.slice(0, 7)} objects={pace} />
        </div>
      )}
      {people && <People people={people} today={today} />}
    </>
  );
}

/** The month against its targets; each figure leads to the achievements. */
function MonthFigures({ month: { month, objectType, figures } }: { month: CenterMonth }) {
  const t = useT();
  return (
    <section className="ll-card" aria-label={t("center.month", { month })}>
      <h2 className="ll-title">{t("center.month", { month })}</h2>
      <dl className="crm-month">
        {figures.map(({ metric, target, actual }) => (
          <div key={metric}>
            <dt>{t(`AchievementMetric.${metric}`)}</dt>
            <dd>
              <a className="ll-link" href={`/crm/achievements?month=${month}&objectType=${objectType}&metric=${metric}`}>
                {valueText(metric, actual)}
              </a>
              {target !== null && (
                <>
                  <span className="ll-quiet"> / {valueText(metric, target)}</span>
                  <progress
                    max={Math.max(target, 1)}
                    value={Math.min(actual, Math.max(target, 1))}
                    aria-label={t(`AchievementMetric.${metric}`)}
                  />
                </>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** What a salesperson holds and was assigned today, against the limits. */
function Terms({ me: { level, status, held, privateCap, assignedToday, dailyCap } }: { me: OwnSales }) {
  const t = useT();
  const of = (used: number, limit: number | null) => (limit === null ? count(used) : `${count(used)} / ${count(limit)}`);
  return (
    <p className="ll-quiet">
      {t(`SalesLevel.${level}`)} · {t(`SalesStatus.${status}`)} · {t("center.held", { count: of(held, privateCap) })} ·{" "}
      {t("center.assigned", { count: of(assignedToday, dailyCap) })}
    </p>
  );
}

/** The switch that turns receiving new leads on and off. */
function Receiving({ me: { receiving, status } }: { me: OwnSales }) {
  const t = useT();
  const [list, act, overlays] = useActions("crm/center");
  const turn = () =>
    act("receiving", async () => {
      await api.put<OwnSales>("/crm/center/receiving", { receiving: !receiving });
      await list.reload(receiving ? "center.stopped" : "center.receives");
    });
  return (
    <div className="ll-page-acts">
      <Tag color={receiving && status === "active" ? "green" : "gray"}>
        {t(receiving && status === "active" ? "center.receiving" : "center.notReceiving")}
      </Tag>
      {status === "active" && <Button onClick={turn}>{t(receiving ? "center.stop" : "center.receive")}</Button>}
      {overlays}
    </div>
  );
}

interface CluesProps {
  title: "center.due" | "center.fresh";
  none: "center.noDue" | "center.noFresh";
  rows: readonly ClueRow[];
  /** The list of all of them. */
  all: string;
}

function Clues({ title, none, rows, all }: CluesProps) {
  const t = useT();
  return (
    <section className="ll-card">
      <h2 className="ll-title">{t(title)}</h2>
      {rows.length === 0 && <p className="ll-quiet">{t(none)}</p>}
      <ol className="work-list">
        {rows.map((row) => (
          <li key={row.id}>
            <span>
              <a className="ll-link" href={`/crm/clue/${row.id}`}>
                {row.nameMask}
              </a>{" "}
              {row.test && <>{testTag(row.test, t)} </>}
              {placeText(row.city, t)} <EnumTag labels="ClueStage" value={row.stage} colors={stageColors} />
              {row.ownerName && <span className="ll-quiet"> {row.ownerName}</span>}
            </span>
            <span>{nextContact(row, t)}</span>
          </li>
        ))}
      </ol>
      {rows.length > 0 && (
        <a className="ll-link" href={all}>
          {t("center.all")}
        </a>
      )}
    </section>
  );
}

function People({ people, today }: { people: readonly PersonDay[]; today: string }) {
  const t = useT();
  return (
    <section className="ll-card">
      <h2 className="ll-title">{t("center.people")}</h2>
      {people.length === 0 && <p className="ll-quiet">{t("center.noPeople")}</p>}
      {people.length > 0 && (
        <div className="ll-table-box" role="group" aria-label={t("center.people")} tabIndex={0}>
          <table className="ll-table">
            <thead>
              <tr>
                <th scope="col">{t("center.person")}</th>
                <th scope="col">{t("center.team")}</th>
                <th scope="col">{t("center.status")}</th>
                <th scope="col" className="ll-num">
                  {t("center.open")}
                </th>
                <th scope="col" className="ll-num">
                  {t("center.overdue")}
                </th>
                <th scope="col" className="ll-num">
                  {t("center.new")}
                </th>
                <th scope="col" className="ll-num">
                  {t("center.followedToday")}
                </th>
              </tr>
            </thead>
            <tbody>
              {people.map(({ id, name, subOrgName, status, receiving, held, overdue, fresh, followedToday }) => (
                <tr key={id}>
                  <th scope="row">{name}</th>
                  <td>{subOrgName ?? "-"}</td>
                  <td>
                    {t(`SalesStatus.${status}`)} {!receiving && status === "active" && <Tag>{t("center.notReceiving")}</Tag>}
                  </td>
                  <td className="ll-num">
                    <a className="ll-link" href={`/crm/clue?ownerId=${id}&state=open`}>
                      {count(held)}
                    </a>
                  </td>
                  <td className="ll-num">
                    <a className="ll-link" href={`/crm/clue?ownerId=${id}&state=open&due=overdue`}>
                      {count(overdue)}
                    </a>
                  </td>
                  <td className="ll-num">
                    <a className="ll-link" href={`/crm/clue?ownerId=${id}&unseen=yes`}>
                      {count(fresh)}
                    </a>
                  </td>
                  <td className="ll-num">
                    <a className="ll-link" href={`/crm/clue?followedBy=${id}&followedFrom=${today}&followedTo=${today}`}>
                      {count(followedToday)}
                    </a>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
