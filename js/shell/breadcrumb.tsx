/** Where the page stands in the menu. */

import { useT } from "../lib/i18n";
import type { MenuNode } from "../lib/types";

interface BreadcrumbProps {
  /** The groups above the page; for the page of one record, its list too. */
  above: readonly MenuNode[];
  /** Name of the page itself. */
  title: string;
}

export function Breadcrumb({ above, title }: BreadcrumbProps) {
  const t = useT();
  return (
    <nav className="app-breadcrumb" aria-label={t("shell.breadcrumb")}>
      <ol>
        {above.map(({ id, title, path, children }) => (
          <li key={id}>{children === null ? <a href={path}>{title}</a> : title}</li>
        ))}
        <li aria-current="page">{title}</li>
      </ol>
    </nav>
  );
}
