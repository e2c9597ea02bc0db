/** Where the page stands in the menu. */

import { useT } from "../lib/i18n";
import type { MenuNode } from "../lib/types";

interface BreadcrumbProps {
  trail: readonly MenuNode[];
  /** Name of the page itself. */
  title: string;
}

export function Breadcrumb({ trail, title }: BreadcrumbProps) {
  const t = useT();
  return (
    <nav className="app-breadcrumb" aria-label={t("shell.breadcrumb")}>
      <ol>
        {trail.slice(0, -1).map((node) => (
          <li key={node.id}>{node.title}</li>
        ))}
        <li aria-current="page">{title}</li>
      </ol>
    </nav>
  );
}
