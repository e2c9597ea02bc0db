/** What every component of one application may need, made once a render and never changed. */

import { createContext } from "react";
import type { Chart } from "./api-types";
import { unpacked } from "./columns";
import type { Translate } from "./messages";
import type { MenuNode, OwnProps, PageProps } from "./types";

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

export interface App {
  /** The page's props as the server sent them; after a navigation only the session part is current. */
  props: PageProps;
  t: Translate;
  role: Role;
  /** Draws a chart as SVG text; only the server can. */
  draw?: ((chart: Chart) => string) | undefined;
}

export const AppContext = createContext<App>(null as never);

export function createApp(props: OwnProps, t: Translate, role: Role): App {
  return { props: { ...props, menu: role.menu, data: unpacked(props.data) }, t, role };
}
