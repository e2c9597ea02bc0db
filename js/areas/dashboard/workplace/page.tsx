/** /dashboard/workplace: what needs the viewer today. */

import type { AuditRow, LoginRow, MessageRow, Workplace as Answer } from "../../../lib/api-types";
import { minute } from "../../../lib/format";
import { type MessageKey, useT } from "../../../lib/i18n";
import { usePoints } from "../../../lib/permissions";
import { usePageData, useViewer } from "../../../lib/props";
import { labelOf } from "../../../ui/field";
import { Icon, type IconName } from "../../../ui/icon";
import { FailedList } from "../../../ui/list-state";
import { EnumTag } from "../../../ui/tag";
import { MessageStateTag } from "../../../shell/message-entry";
import { TodayTiles } from "../overview";
import { FirstSteps } from "./first-steps";
import { Offline } from "./offline";
import { Queues, UnusualLines } from "./queues";

/** Links to the pages where work begins, for viewers who may open them. */
const LINKS: readonly { point: string; href: string; icon: IconName; label: MessageKey }[] = [
  { point: "channel/list/create", href: "/channel/list", icon: "channel", label: "workplace.channels" },
  { point: "admin/list/create", href: "/admin/list", icon: "admin", label: "workplace.admins" },
  { point: "visualization/list", href: "/visualization", icon: "chart", label: "workplace.charts" },
  { point: "dashboard/server/list", href: "/dashboard/server", icon: "gauge", label: "workplace.server" },
  { point: "admin/audit/list", href: "/admin/audit", icon: "history", label: "workplace.audit" },
];

export default function Workplace() {
  const answer = usePageData<Answer>("today");
  return answer.code === "0000" ? <Today today={answer.data} /> : <FailedList answer={answer} address="/dashboard/workplace" />;
}

function Today({ today }: { today: Answer }) {
  const t = useT();
  const viewer = useViewer();
  const held = usePoints();
  const links = LINKS.filter(({ point }) => held.has(point));
  const greeting: MessageKey =
    today.hour < 5 || today.hour >= 18 ? "workplace.evening" : today.hour < 12 ? "workplace.morning" : "workplace.afternoon";
  return (
    <>
      <header className="ll-card work-head">
        <h1 className="ll-title">{t(greeting, { name: viewer?.name ?? "" })}</h1>
        <p className="ll-quiet">
          {today.day} {labelOf(t, "workplace.weekday", String(today.weekday))}
          {viewer?.orgName ? ` · ${viewer.orgName}` : ""} · {viewer?.roleName}
        </p>
      </header>
      {today.queuedWhileOffline !== null && <Offline queued={today.queuedWhileOffline} />}
      {today.firstSteps.length > 0 && <FirstSteps steps={today.firstSteps} />}
      <Queues queues={today.queues} now={today.at} />
      {today.unusual.length > 0 && <UnusualLines lines={today.unusual} />}
      {today.business.length > 0 && (
        <section className="ll-card" aria-label={t("overview.today")}>
          <h2 className="ll-title">{t("overview.today")}</h2>
          <TodayTiles figures={today.business} day={today.day} ofChannels={!viewer?.orgName} />
        </section>
      )}
      {links.length > 0 && (
        <nav className="ll-card work-links" aria-label={t("workplace.quick")}>
          {links.map(({ href, icon, label }) => (
            <a key={href} href={href}>
              <Icon name={icon} />
              {t(label)}
            </a>
          ))}
        </nav>
      )}
      <div className="work-lists">
        <Todos rows={today.todos} />
        {today.operations && <Operations rows={today.operations} />}
        <SignIns rows={today.signIns} />
      </div>
    </>
  );
}

function Todos({ rows }: { rows: readonly MessageRow[] }) {
  const t = useT();
  return (
    <section className="ll-card">
      <h2 className="ll-title">{t("workplace.todos")}</h2>
      {rows.length === 0 && <p className="ll-quiet">{t("workplace.noTodos")}</p>}
      <ol className="work-list">
        {rows.map(({ id, title, link, messageType, time }) => (
          <li key={id}>
            <span>
              {link === null ? (
                title
              ) : (
                <a className="ll-link" href={link}>
                  {title}
                </a>
              )}{" "}
              <MessageStateTag state={messageType} />
            </span>
            <time>{minute(time)}</time>
          </li>
        ))}
      </ol>
      {rows.length > 0 && (
        <a className="ll-link" href="/account/message?type=todo">
          {t("messages.more")}
        </a>
      )}
    </section>
  );
}

function Operations({ rows }: { rows: readonly AuditRow[] }) {
  const t = useT();
  return (
    <section className="ll-card">
      <h2 className="ll-title">{t("workplace.operations")}</h2>
      {rows.length === 0 && <p className="ll-quiet">{t("workplace.noOperations")}</p>}
      <ol className="work-list">
        {rows.map(({ id, at, adminName, module, action, targetName }) => (
          <li key={id}>
            <span>
              {adminName ?? t("workplace.program")} {labelOf(t, "Action", action)} {labelOf(t, "Module", module)} {targetName}
            </span>
            <time>{minute(at)}</time>
          </li>
        ))}
      </ol>
    </section>
  );
}

function SignIns({ rows }: { rows: readonly LoginRow[] }) {
  const t = useT();
  return (
    <section className="ll-card">
      <h2 className="ll-title">{t("workplace.signIns")}</h2>
      {rows.length === 0 && <p className="ll-quiet">{t("workplace.noSignIns")}</p>}
      <ol className="work-list">
        {rows.map(({ id, at, ip, result }) => (
          <li key={id}>
            <span>
              <EnumTag
                labels="LoginResult"
                value={result}
                colors={{ ok: "green", wrong: "red", confirmed: "blue", denied: "orange", outside: "red" }}
              />{" "}
              {ip}
            </span>
            <time>{minute(at)}</time>
          </li>
        ))}
      </ol>
    </section>
  );
}
