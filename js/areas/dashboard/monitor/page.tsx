/** /dashboard/monitor: the last hour in curves, and what goes on now. */

import type { ServerStatus } from "../../../lib/api-types";
import { bytes, count, milliseconds, time } from "../../../lib/format";
import { type MessageKey, useT } from "../../../lib/i18n";
import { useLive } from "../../../lib/live";
import { useHasPoint } from "../../../lib/permissions";
import { usePageData } from "../../../lib/props";
import { labelOf } from "../../../ui/field";
import { Curve } from "../../../ui/curve";
import { FailedList } from "../../../ui/list-state";
import { Bar, FAILING, HealthTag, Refresh } from "../status";

const MINUTE = 60_000;
/** The parts with a level of health, each in a card. */
const PARTS = ["requests", "isolates", "database", "memory", "matching", "outbox"] as const;

export default function Monitor() {
  const answer = usePageData<ServerStatus>("status");
  return answer.code === "0000" ? <Watched first={answer.data} /> : <FailedList answer={answer} address="/dashboard/monitor" />;
}

function Watched({ first }: { first: ServerStatus }) {
  const t = useT();
  const live = useLive("/server/status", first);
  const { history, level, at, matching } = live.data;
  const worries = PARTS.filter((part) => live.data[part].level !== "good");
  const maySeeServer = useHasPoint(["dashboard/server/list"]);
  const maySeeUsers = useHasPoint([FAILING.point]);
  const failing = t("server.failingText", { count: matching.failing });
  const toWatch = t("server.because", { parts: worries.map((part) => t(`server.${part}`)).join(t("ui.comma")) });
  const over = { at: history.at, span: spanOf(history.at) };
  const [pages, calls] = [t("server.kind.page"), t("server.kind.api")];
  return (
    <>
      <header className="ll-card server-head">
        <h1 className="ll-title">
          {t("server.monitor")} <HealthTag level={level} />
        </h1>
        <p className="ll-quiet">{t("server.monitorText", { seconds: history.everyMs / 1000 })}</p>
        {worries.length > 0 && (
          <p>
            {maySeeServer ? (
              <a className="ll-link" href="/dashboard/server">
                {toWatch}
              </a>
            ) : (
              toWatch
            )}
          </p>
        )}
        {matching.failing > 0 && (
          <p>
            {maySeeUsers ? (
              <a className="ll-link" href={FAILING.href}>
                {failing}
              </a>
            ) : (
              failing
            )}
          </p>
        )}
        <Refresh at={at} live={live} />
      </header>
      <div className="server-curves">
        <Curve
          {...over}
          title={t("server.perSecond")}
          unit="/s"
          lines={[
            { name: pages, values: history.pagesPerSecond },
            { name: calls, values: history.callsPerSecond },
          ]}
        />
        <Curve
          {...over}
          title={t("server.p95")}
          unit="ms"
          lines={[
            { name: pages, values: history.pageP95 },
            { name: calls, values: history.apiP95 },
          ]}
        />
        <Curve {...over} title={t("server.cpu")} unit="%" lines={[{ name: t("server.cpuProcess"), values: history.cpu }]} />
        <Curve
          {...over}
          title={t("server.memoryCurve")}
          unit="MB"
          lines={[
            { name: t("server.process"), values: history.resident },
            { name: t("server.heaps"), values: history.heap },
          ]}
        />
        <Curve {...over} title={t("server.queueCurve")} unit="" lines={[{ name: t("server.waitingPages"), values: history.queued }]} />
        <Curve {...over} title={t("server.faultCurve")} unit="" lines={[{ name: t("server.faultLine"), values: history.faults }]} />
      </div>
      <div className="server-tables">
        <Requests status={live.data} />
        <Isolates status={live.data} />
        <Codes status={live.data} />
        <Notable status={live.data} />
      </div>
    </>
  );
}

/** The time span of the curves: that of the data in whole minutes, and at least five. */
function spanOf(at: readonly number[]): number {
  const length = (at.at(-1) ?? 0) - (at[0] ?? 0);
  return Math.max(5 * MINUTE, Math.ceil(length / MINUTE) * MINUTE);
}

interface PartProps {
  status: ServerStatus;
}

interface TableProps {
  title: MessageKey;
  /** The first column names the row. */
  heads: readonly MessageKey[];
  /** The text instead of rows. */
  none: MessageKey;
  rows: readonly { key: string | number; cells: readonly React.ReactNode[] }[];
}

/** A small table; it scrolls in its own box, also by keyboard. */
function Table({ title, heads, none, rows }: TableProps) {
  const t = useT();
  return (
    <section className="ll-card">
      <h2 className="ll-title">{t(title)}</h2>
      {rows.length === 0 ? (
        <p className="ll-quiet">{t(none)}</p>
      ) : (
        <div className="server-table" role="region" aria-label={t(title)} tabIndex={0}>
          <table className="ll-table ll-compact">
            <thead>
              <tr>
                {heads.map((head) => (
                  <th key={head} scope="col">
                    {t(head)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ key, cells: [name, ...cells] }) => (
                <tr key={key}>
                  <th scope="row">{name}</th>
                  {cells.map((cell, i) => (
                    <td key={i}>{cell}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function Requests({ status }: PartProps) {
  const t = useT();
  const rows = status.requests.kinds.map(({ kind, perSecond, inFlight, p50, p95, p99, total }) => ({
    key: kind,
    cells: [
      labelOf(t, "server.kind", kind),
      perSecond,
      count(inFlight),
      milliseconds(p50),
      milliseconds(p95),
      milliseconds(p99),
      count(total),
    ],
  }));
  return (
    <Table
      title="server.requests"
      heads={["server.kind", "server.perSecond", "server.inFlight", "server.p50", "server.p95Column", "server.p99", "server.total"]}
      none="server.noCodes"
      rows={rows}
    />
  );
}

function Isolates({ status }: PartProps) {
  const rows = status.isolates.list.map(({ renders, heapUsed, heapTotal }, i) => ({
    key: i,
    cells: [
      i + 1,
      count(renders),
      <span key="heap" className="server-heap">
        {bytes(heapUsed)} / {bytes(heapTotal)} <Bar part={heapUsed} whole={heapTotal} />
      </span>,
    ],
  }));
  return <Table title="server.isolates" heads={["server.isolate", "server.renders", "server.heap"]} none="server.noIsolates" rows={rows} />;
}

function Codes({ status }: PartProps) {
  const t = useT();
  const rows = status.requests.codes.map(({ code, lately, total }) => ({
    key: code,
    cells: [code === 0 ? t("server.code.0") : code, labelOf(t, "server.code", String(code)), count(lately), count(total)],
  }));
  return (
    <Table
      title="server.codes"
      heads={["server.code", "server.meaning", "server.lately", "server.total"]}
      none="server.noCodes"
      rows={rows}
    />
  );
}

function Notable({ status }: PartProps) {
  const t = useT();
  const rows = status.requests.notable.map(({ at, method, path, code, took, requestId }) => ({
    key: requestId,
    cells: [
      time(at).slice(5),
      `${method} ${path}`,
      code === 0 ? t("server.slow") : `${code} ${labelOf(t, "server.code", String(code))}`,
      milliseconds(took),
      requestId,
    ],
  }));
  return (
    <Table
      title="server.notable"
      heads={["server.when", "server.request", "server.outcome", "server.took", "server.requestId"]}
      none="server.noNotable"
      rows={rows}
    />
  );
}
