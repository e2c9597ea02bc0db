/** The queues of the viewer's open work, the most urgent first, each with one button. */
import type { Unusual, WorkQueue } from "../../../lib/api-types";
import { count, minute, money } from "../../../lib/format";
import { type MessageKey, useT } from "../../../lib/i18n";
import { age } from "../../../ui/age";
import { buttonClass } from "../../../ui/button";
import { Icon } from "../../../ui/icon";
import { Tag } from "../../../ui/tag";

export function Queues({ queues, now }: { queues: readonly WorkQueue[]; now: number }) {
  const t = useT();
  return (
    <section className="ll-card" aria-label={t("workplace.queues")}>
      <h2 className="ll-title">{t("workplace.queues")}</h2>
      {queues.length === 0 && <p className="ll-quiet">{t("workplace.noQueues")}</p>}
      <ol className="work-list">
        {queues.map(({ title, action, href, count: rows, oldest, overdue, cents }, index) => (
          <li key={href} className="items-center">
            <span className="flex-1">
              <b>{title}</b> {overdue && <Tag color="red">{t("workplace.overdue")}</Tag>}
              <small className="block ll-quiet">
                {oldest !== null && <time title={minute(oldest)}>{t("workplace.oldest", { age: age(t, now - oldest) })}</time>}
                {oldest !== null && cents !== null && " · "}
                {cents !== null && money(cents)}
              </small>
            </span>
            <b>{count(rows)}</b>
            <a
              className={buttonClass(index === 0 ? "primary" : "outline", true)}
              href={href}
              aria-label={`${actionOf(t, action)} · ${title}`}
            >
              {actionOf(t, action)}
            </a>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** What is not as it should be, each line with the page that shows it. */
export function UnusualLines({ lines }: { lines: readonly Unusual[] }) {
  const t = useT();
  return (
    <section className="ll-card" aria-label={t("workplace.unusual")}>
      <h2 className="ll-title">{t("workplace.unusual")}</h2>
      <ul className="work-list">
        {lines.map(({ title, count: rows, href }) => (
          <li key={title} className="items-center">
            <Icon name="warning" />
            <span className="flex-1">
              <a className="ll-link" href={href}>
                {title}
              </a>
            </span>
            <b>{count(rows)}</b>
          </li>
        ))}
      </ul>
    </section>
  );
}

type T = ReturnType<typeof useT>;

const actionOf = (t: T, action: WorkQueue["action"]) => t(`workplace.action.${action}` as MessageKey);
