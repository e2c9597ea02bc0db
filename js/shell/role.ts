/** What all pages of a role in one language have in common. */

import type { Role } from "../lib/app-context";
import type { Translate } from "../lib/messages";
import type { RoleData } from "../lib/types";
import { menuHtml } from "./menu-html";

/** Makes a role's data ready for its pages. */
export function roleOf({ menu, points }: RoleData, t: Translate): Role {
  return { menu, menuHtml: menuHtml(menu, t("shell.newWindow")), points: new Set(points) };
}
