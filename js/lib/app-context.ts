/** What every component of one application may need, made once a render and never changed. */

import { createContext, type ReactNode } from "react";
import type { Chart } from "./api-types";
import { unpacked } from "./columns";
import type { Translate } from "./messages";
import type { MenuNode, OwnProps, PageData, PageProps } from "./types";

/** What all pages of a role in one language have in common, made ready once. */
export interface Role {
  menu: readonly MenuNode[];
  /** The menu as HTML, with no page marked. */
  menuHtml: string;
  /** The permission points. */
  points: ReadonlySet<string>;
}

/** The role of strangers: no menu and no points. */
export const STRANGER: Role = { menu: [], menuHtml: "", points: new Set() };

/** Makes the menu from the table of routes. */
export type TableMenu = (props: PageProps) => readonly MenuNode[];

export interface App {
  /** The page's props as the server sent them; after a navigation only the session part is current. */
  props: PageProps;
  t: Translate;
  role: Role;
  /** The menu from the table of routes; null if the settings take that of the server. */
  tableMenu: readonly MenuNode[] | null;
  /** Draws a chart as SVG text; only the server can. */
  draw?: ((chart: Chart, isWide?: boolean) => string) | undefined;
  /** The HTML of a part by the values and loads that it depends on (kept.tsx); only the server keeps parts. */
  keep?: ((of: readonly unknown[], loads: PageData, make: () => ReactNode) => string) | undefined;
}

export const AppContext = createContext<App>(null as never);

/** `tableMenu` is needed if the settings do not take the menu of the server. */
export function createApp(own: OwnProps, t: Translate, role: Role, tableMenu?: TableMenu): App {
  const props = { ...own, menu: role.menu, data: unpacked(own.data) };
  return { props, t, role, tableMenu: props.settings.menuFromServer ? null : (tableMenu?.(props) ?? null) };
}
