/** The business at a glance: today, the chosen days, what changed and why, and what needs a look. */
import type { PassAlert, RankRow, StatChange, StatOverview, TodayFigure } from "../../lib/api-types";
import { changeBp, count, money, percent, rateOf } from "../../lib/format";
import { type MessageKey, useT } from "../../lib/i18n";
import { usePoints } from "../../lib/permissions";
import { Icon } from "../../ui/icon";
import { rowsBehind } from "../chart/share";

export function Overview({ overview }: { overview: StatOverview }) {
  const t = useT();
  const { day, time, today, firstDay, lastDay, funnel, ofChannels, best, worst, change, alerts } = overview;
  const most = Math.max(1, ...funnel.map(({ value }) => value));
  return (
    <>
      <section className="ll-card" aria-label={t("overview.today")}>
        <h2 className="ll-title">{t("overview.today")}</h2>
        <p className="ll-quiet">{t("overview.until", { day, time })}</p>
        <TodayTiles figures={today} day={day} ofChannels={ofChannels} />
      </section>
      {alerts.length > 0 && <Alerts alerts={alerts} />}
      <div className="overview-week">
        <section className="ll-card">
          <h2 className="ll-title">{t("overview.funnel")}</h2>
          <p className="ll-quiet">{t("overview.week", { from: firstDay, to: lastDay })}</p>
          <ol className="overview-funnel">
            {funnel.map(({ key, value, rateBp }, i) => (
              <li key={key}>
                <span>{t(`stat.${key}` as MessageKey)}</span>
                <svg aria-hidden="true" width="100%" height="10">
                  <rect width={`${Math.round((value / most) * 10_000) / 100}%`} height="100%" fill="var(--chart-1)" />
                </svg>
                <b>{count(value)}</b>
                <small>{rateBp === null || i === 0 ? "" : rateOf(rateBp, funnel[i - 1]!.value)}</small>
              </li>
            ))}
          </ol>
        </section>
        <Change change={change} {...{ ofChannels, firstDay, lastDay }} />
        <Ranking title={t(ofChannels ? "overview.best" : "overview.mostSpent")} rows={best} {...{ ofChannels, firstDay, lastDay }} />
        {worst.length > 0 && (
          <Ranking title={t(ofChannels ? "overview.worst" : "overview.leastSpent")} rows={worst} {...{ ofChannels, firstDay, lastDay }} />
        )}
      </div>
    </>
  );
}

/** Today's figures, each with its change against yesterday at this hour; those of lists open them. */
export function TodayTiles({ figures, day, ofChannels }: { figures: readonly TodayFigure[]; day: string; ofChannels: boolean }) {
  const t = useT();
  const granted = usePoints();
  const row = { firstDay: day, lastDay: day, subjectId: 0, system: null, star: null };
  const opens = ({ key, opensLeads }: TodayFigure) => {
    const figure = key === "soldCents" ? "sales" : key;
    const rows = rowsBehind(figure, row, { by: ofChannels ? "channel" : "org", opensLeads, opensFeedback: false, filters: {} });
    return rows && granted.has(rows.point) ? rows.href : undefined;
  };
  return (
    <div className="overview-today">
      {figures.map((figure) => {
        const { key, kind, value, before } = figure;
        const text = kind === "money" ? money : count;
        return (
          <a key={key} className="work-figure" href={opens(figure)}>
            <b>{text(value)}</b>
            <span>{t(`stat.${key}` as MessageKey)}</span>
            <small className="stat-change" data-sign={Math.sign(value - before)}>
              {t("overview.yesterday", { value: text(before) })} {changeText(changeBp(value, before, kind === "money"))}
            </small>
          </a>
        );
      })}
    </div>
  );
}

function changeText(change: number | null): string {
  if (change === null) return "";
  const sign = change > 0 ? "▲ " : change < 0 ? "▼ " : "";
  return sign + percent(Math.abs(change));
}

/** What is shown, and of which days. */
interface Days {
  ofChannels: boolean;
  firstDay: string;
  lastDay: string;
}

/** A change of money with its sign. */
const signed = (cents: number) => (cents > 0 ? `+${money(cents)}` : money(cents));

function Alerts({ alerts }: { alerts: readonly PassAlert[] }) {
  const t = useT();
  const granted = usePoints();
  return (
    <section className="ll-card" aria-label={t("overview.alerts")}>
      <h2 className="ll-title">{t("overview.alerts")}</h2>
      <ul className="overview-alerts">
        {alerts.map(({ channelId, channelName, day, passBp, meanBp, deviationBp }) => (
          <li key={channelId}>
            <Icon name="warning" />
            <span>
              {granted.has("chart/channel-d2d-list/list") ? (
                <a className="ll-link" href={`/chart/channel-d2d-list?subjectId=${channelId}`}>
                  {channelName}
                </a>
              ) : (
                channelName
              )}
              {t("overview.alert", { day, pass: percent(passBp), mean: percent(meanBp), deviation: (deviationBp / 100).toFixed(2) })}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ChangeProps extends Days {
  change: StatChange;
}

function Change({ change: { cents, reasons, subjects, othersCents }, ofChannels, firstDay, lastDay }: ChangeProps) {
  const t = useT();
  // More or less spending is neither good nor bad.
  const signOf = (cents: number) => (ofChannels ? Math.sign(cents) : undefined);
  return (
    <section className="ll-card">
      <h2 className="ll-title">{t(ofChannels ? "overview.marginChange" : "overview.spendChange")}</h2>
      <p className="ll-quiet">{t("overview.against", { from: firstDay, to: lastDay })}</p>
      <p className="overview-sum" data-sign={signOf(cents)}>
        {signed(cents)}
      </p>
      {reasons.length > 0 && (
        <dl className="overview-parts">
          {reasons.map(({ key, cents }) => (
            <div key={key} title={t(`overview.reasonHint.${key}` as MessageKey)}>
              <dt>{t(`overview.reason.${key}` as MessageKey)}</dt>
              <dd data-sign={signOf(cents)}>{signed(cents)}</dd>
            </div>
          ))}
        </dl>
      )}
      {subjects.length > 0 && (
        <dl className="overview-parts">
          {subjects.map(({ id, name, cents }) => (
            <div key={id}>
              <dt>{name}</dt>
              <dd data-sign={signOf(cents)}>{signed(cents)}</dd>
            </div>
          ))}
          {othersCents !== 0 && (
            <div>
              <dt>{t("overview.others")}</dt>
              <dd data-sign={signOf(othersCents)}>{signed(othersCents)}</dd>
            </div>
          )}
        </dl>
      )}
    </section>
  );
}

interface RankingProps extends Days {
  title: string;
  rows: readonly RankRow[];
}

function Ranking({ title, rows, ofChannels, firstDay, lastDay }: RankingProps) {
  const t = useT();
  const granted = usePoints();
  const page = ofChannels ? "/channel/uv-list" : "/plan/uv-list";
  const isOpen = granted.has(`${page.slice(1)}/list`);
  return (
    <section className="ll-card">
      <h2 className="ll-title">{title}</h2>
      <p className="ll-quiet">{t("overview.week", { from: firstDay, to: lastDay })}</p>
      {rows.length === 0 && <p className="ll-quiet">{t("overview.none")}</p>}
      <ol className="overview-rank">
        {rows.map(({ id, name, cents, beforeCents }) => (
          <li key={id}>
            {isOpen ? (
              <a className="ll-link" href={`${page}?subjectId=${id}&dayFrom=${firstDay}&dayTo=${lastDay}`}>
                {name}
              </a>
            ) : (
              <span>{name}</span>
            )}
            <b>{money(cents)}</b>
            <small className="stat-change" data-sign={ofChannels ? Math.sign(cents - beforeCents) : undefined}>
              {signed(cents - beforeCents)}
            </small>
          </li>
        ))}
      </ol>
    </section>
  );
}
