/** /dashboard/server: the health of this server at a glance. */

import type { ServerStatus } from "../../../lib/api-types";
import { bytes, count, milliseconds } from "../../../lib/format";
import { type Translate, useT } from "../../../lib/i18n";
import { useLive } from "../../../lib/live";
import { IfPoint } from "../../../lib/permissions";
import { usePageData } from "../../../lib/props";
import { FailedList } from "../../../ui/list-state";
import { routeText } from "../../admin/share";
import { Bar, Counted, FAILING, HealthTag, Part, Refresh, Row } from "../status";

export default function Server() {
  const answer = usePageData<ServerStatus>("status");
  return answer.code === "0000" ? <Status first={answer.data} /> : <FailedList answer={answer} address="/dashboard/server" />;
}

function Status({ first }: { first: ServerStatus }) {
  const t = useT();
  const live = useLive("/server/status", first);
  const { requests, isolates, database, memory, matching, outbox, ...server } = live.data;
  const [page, api] = requests.kinds;
  const heap = isolates.list.reduce((sum, isolate) => sum + isolate.heapTotal, 0);
  return (
    <>
      <header className="ll-card server-head">
        <h1 className="ll-title">
          {t("server.title")} <HealthTag level={server.level} />
        </h1>
        <p className="ll-quiet">
          {t("server.about", {
            node: server.node,
            version: server.version,
            engine: engines[server.engine] ?? server.engine,
            cores: server.cores,
          })}
          {t("server.pause")}
          {t("server.uptime", { time: uptime(t, server.uptimeMs) })}
        </p>
        <Refresh at={server.at} live={live} />
      </header>
      <div className="server-parts">
        <Part title="server.requests" level={requests.level} figure={milliseconds(page?.p95)} meaning="server.pageP95">
          <Row name="server.pagesPerSecond">{page?.perSecond ?? "-"}</Row>
          <Row name="server.callsPerSecond">{api?.perSecond ?? "-"}</Row>
          <Row name="server.callP95">{milliseconds(api?.p95)}</Row>
          <Row name="server.inFlight">{count(requests.kinds.reduce((sum, kind) => sum + kind.inFlight, 0))}</Row>
          <Row name="server.faults" warns={requests.faults > 0}>
            {count(requests.faults)}
          </Row>
        </Part>
        <Part title="server.isolates" level={isolates.level} figure={count(isolates.list.length)} meaning="server.isolatesReady">
          <Row name="server.renders">{count(isolates.renders)}</Row>
          <Row name="server.renderTimes">
            {milliseconds(isolates.p50)} / {milliseconds(isolates.p99)}
          </Row>
          <Row name="server.queue">
            {count(isolates.queued)} / {count(isolates.queueLimit)}
          </Row>
          <Row name="server.renderFailures" warns={isolates.failuresLately > 0}>
            {count(isolates.failuresLately)}
          </Row>
          <Row name="server.failureKinds">
            {[isolates.queueFull, isolates.timeouts, isolates.outOfMemory, isolates.threw].map((times) => count(times)).join(" / ")}
          </Row>
          <Row name="server.replaced">
            {count(isolates.replacements)} / {count(isolates.recycles)}
          </Row>
        </Part>
        <Part title="server.database" level={database.level} figure={milliseconds(database.ping)} meaning="server.ping">
          <Row name="server.databaseEngine">{engines[database.engine]}</Row>
          <Row name="server.size">{bytes(database.bytes)}</Row>
          <Row name="server.readTimes">
            {milliseconds(database.readP50)} / {milliseconds(database.readP99)}
          </Row>
          <Row name="server.writeTimes">
            {milliseconds(database.writeP50)} / {milliseconds(database.writeP99)}
          </Row>
          <Row name="server.writeWait">{milliseconds(database.waitP99)}</Row>
          <Row name="server.connections">
            {count(database.inUse)} / {count(database.idle)} / {count(database.most)}
          </Row>
          <Row name="server.slowReads" warns={database.slowReads > 0}>
            {count(database.slowReads)}
          </Row>
        </Part>
        <Part title="server.memory" level={memory.level} figure={bytes(memory.resident)} meaning="server.resident">
          <Row name="server.limit">
            {memory.limit === 0 ? "-" : bytes(memory.limit)}
            <Bar part={memory.resident} whole={memory.limit} />
          </Row>
          <Row name="server.heaps">{bytes(heap)}</Row>
          <Row name="server.cpuNow">{server.history.cpu.length > 0 ? `${server.history.cpu.at(-1)}%` : "-"}</Row>
          <Row name="server.cpuTime">{uptime(t, memory.cpuMs)}</Row>
        </Part>
        <Part title="server.matching" level={matching.level} figure={count(matching.due)} meaning="server.matchingDue">
          <Row name="server.oldest">{matching.due > 0 ? uptime(t, matching.oldestMs) : "-"}</Row>
          <Counted name="server.failing" figure={matching.failing} {...FAILING} />
        </Part>
        <Part title="server.outbox" level={outbox.level} figure={count(outbox.waiting)} meaning="server.waiting">
          <Row name="server.oldest">{outbox.due > 0 ? uptime(t, outbox.oldestMs) : "-"}</Row>
          <Row name="server.due">{count(outbox.due)}</Row>
          <Counted
            name="server.leadsUnconfirmed"
            figure={outbox.leadsUnconfirmed}
            href="/plan/push-list?status=unconfirmed"
            point="plan/push-list/list"
          />
          <Counted
            name="server.callbacksFailed"
            figure={outbox.callbacksFailed}
            href="/user/feedback-list?callbackStatus=failed"
            point="user/feedback-list/list"
          />
          <Counted
            name="server.messagesUnconfirmed"
            figure={outbox.messagesUnconfirmed}
            href="/admin/sms?state=unconfirmed"
            point="admin/sms/list"
          />
          <Counted name="server.messagesFailed" figure={outbox.messagesFailed} href="/admin/sms?state=failed" point="admin/sms/list" />
          <Row name="server.breakers" warns={outbox.openBreakers > 0}>
            {count(outbox.openBreakers)}
          </Row>
          <Row name="server.lostLeases" warns={outbox.lostLeases > 0}>
            {count(outbox.lostLeases)}
          </Row>
          {outbox.messages && (
            <Row name="server.messages" below>
              {routeText(t, outbox.messages)}
            </Row>
          )}
        </Part>
      </div>
      <IfPoint any={["dashboard/monitor/list"]}>
        <p className="server-more">
          <a className="ll-link" href="/dashboard/monitor">
            {t("server.toMonitor")}
          </a>
        </p>
      </IfPoint>
    </>
  );
}

/** Proper names, the same in every language. */
const engines: Readonly<Record<string, string>> = { v8: "V8", quickjs: "QuickJS", sqlite: "SQLite", postgres: "PostgreSQL" };

/** "3 days 4 h", "5 min 12 s": the two largest units. */
function uptime(t: Translate, ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const [days, hours, minutes] = [Math.floor(seconds / 86400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
  if (days > 0) return t("server.daysHours", { days, hours });
  if (hours > 0) return t("server.hoursMinutes", { hours, minutes });
  return t("server.minutesSeconds", { minutes, seconds: seconds % 60 });
}
