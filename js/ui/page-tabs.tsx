/** Pages that belong together, as tabs. Tabs are links, so that each has its address; those without permission are left out. */
import { type MessageKey, useT } from "../lib/i18n";
import { usePoints } from "../lib/permissions";

/** One page among those that belong together. */
export interface PageTab {
  href: string;
  label: MessageKey;
  /** The permission point that opens it; absent: all viewers of these pages may. */
  point?: string;
}

interface PageTabsProps {
  /** The name of the group. */
  label: MessageKey;
  tabs: readonly PageTab[];
  /** The address of the page that is shown. */
  current: string;
}

export function PageTabs({ label, tabs, current }: PageTabsProps) {
  const t = useT();
  const held = usePoints();
  const open = tabs.filter(({ point }) => point === undefined || held.has(point));
  if (open.length < 2) return null;
  return (
    <nav className="ll-page-tabs" aria-label={t(label)}>
      {open.map(({ href, label }) => (
        <a key={href} href={href} aria-current={href === current ? "page" : undefined}>
          {t(label)}
        </a>
      ))}
    </nav>
  );
}
