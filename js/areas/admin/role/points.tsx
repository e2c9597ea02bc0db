/** The screens that a role opens, and its permissions on each. */
import type { MenuNode } from "../../../lib/api-types";
import { useT } from "../../../lib/i18n";
import { type Detail, Details } from "../../../ui/details";

export function RolePoints({ menu }: { menu: readonly MenuNode[] }) {
  const t = useT();
  const screens = menu.flatMap(screensOf);
  if (screens.length === 0) return <p className="ll-quiet">{t("role.opensNothing")}</p>;
  return <Details wide items={screens.map(({ title, points }): Detail => [title, points.join(t("ui.comma")) || t("role.opens")])} />;
}

/** The screens of a branch, each with the names of its points. */
function screensOf(node: MenuNode): { title: string; points: string[] }[] {
  const screens = (node.children ?? []).filter(({ type }) => type === 1);
  if (screens.length > 0) return screens.flatMap(screensOf);
  return [{ title: node.title, points: (node.children ?? []).map(({ title }) => title) }];
}
