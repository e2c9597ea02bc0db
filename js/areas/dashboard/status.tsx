/** Parts that the server dashboard and the monitor share: levels, figures, the refresh. */

import type { ReactNode } from "react";
import type { Health } from "../../lib/api-types";
import { count, time } from "../../lib/format";
import { type MessageKey, useT } from "../../lib/i18n";
import type { Live } from "../../lib/live";
import { useHasPoint } from "../../lib/permissions";
import { Button } from "../../ui/button";
import { Icon, type IconName } from "../../ui/icon";
import type { TagColor } from "../../ui/tag";

const looks: Readonly<Record<Health, { color: TagColor; icon: IconName; text: MessageKey }>> = {
  good: { color: "green", icon: "check", text: "server.good" },
  watch: { color: "orange", icon: "info", text: "server.watch" },
  bad: { color: "red", icon: "warning", text: "server.bad" },
};

/** The health of a part: a word and a sign, with a colour. */
export function HealthTag({ level }: { level: Health }) {
  const t = useT();
  const { color, icon, text } = looks[level];
  return (
    <span className={`ll-tag ll-tag-${color} server-health`}>
      <Icon name={icon} /> {t(text)}
    </span>
  );
}

interface PartProps {
  title: MessageKey;
  level: Health;
  /** The most important figure. */
  figure: string;
  meaning: MessageKey;
  children: ReactNode;
}

/** A card of the dashboard. */
export function Part({ title, level, figure, meaning, children }: PartProps) {
  const t = useT();
  return (
    <section className="ll-card server-part">
      <h2>
        {t(title)} <HealthTag level={level} />
      </h2>
      <p className="server-figure">
        <b>{figure}</b> <span>{t(meaning)}</span>
      </p>
      <dl>{children}</dl>
    </section>
  );
}

interface RowProps {
  name: MessageKey;
  /** Marks a figure that should be 0. */
  warns?: boolean;
  /** Puts the content below the name, since it is longer than a figure. */
  below?: boolean;
  children: ReactNode;
}

/** A line of a card. */
export function Row({ name, warns, below, children }: RowProps) {
  const t = useT();
  return (
    <div className={below ? "server-below" : undefined}>
      <dt>{t(name)}</dt>
      <dd className={warns ? "server-warns" : undefined}>{children}</dd>
    </div>
  );
}

interface CountedProps {
  name: MessageKey;
  figure: number;
  /** The list of the counted records, and the permission point that opens it. */
  href: string;
  point: string;
}

/** A count that should be 0, with a link to the counted records. */
export function Counted({ name, figure, href, point }: CountedProps) {
  const mayOpen = useHasPoint([point]);
  return (
    <Row name={name} warns={figure > 0}>
      {figure > 0 && mayOpen ? (
        <a className="ll-link" href={href}>
          {count(figure)}
        </a>
      ) : (
        count(figure)
      )}
    </Row>
  );
}

/** The list of the applicants whose matching keeps failing. */
export const FAILING = { href: "/user/list?failing=yes", point: "user/list/list" } as const;

/** A share of something as a bar; its numbers stand beside it. */
export function Bar({ part, whole }: { part: number; whole: number }) {
  const share = whole > 0 ? Math.min(100, Math.round((part / whole) * 100)) : 0;
  return (
    <svg className="server-bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect width="100" height="4" />
      <rect className={share >= 90 ? "is-bad" : share >= 70 ? "is-watch" : undefined} width={share} height="4" />
    </svg>
  );
}

/** The time of the figures, and the button that stops or starts their refresh. */
export function Refresh({ at, live }: { at: number; live: Live<unknown> }) {
  const t = useT();
  return (
    <div className="server-refresh">
      {live.isLate && (
        <span className="server-late" role="status">
          <Icon name="warning" /> {t("server.late")}
        </span>
      )}
      <span className="ll-quiet ll-mono">{t("server.at", { time: time(at).slice(11) })}</span>
      <Button small icon={live.isOn ? "pause" : "play"} onClick={live.toggle}>
        {t(live.isOn ? "server.stop" : "server.start")}
      </Button>
    </div>
  );
}
