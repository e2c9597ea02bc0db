/** What every component of one application may need, made once a render and never changed. */

import { createContext } from "react";
import type { Chart } from "./api-types";
import type { Translate } from "./messages";
import type { PageProps } from "./types";

export interface App {
  /** The page's props as the server sent them; after a navigation only the session part is current. */
  props: PageProps;
  t: Translate;
  /** The viewer's permission points. */
  points: ReadonlySet<string>;
  /** Draws a chart as SVG text; only the server can. */
  draw?: ((chart: Chart) => string) | undefined;
}

export const AppContext = createContext<App>(null as never);

export function createApp(props: PageProps, t: Translate): App {
  return { props, t, points: new Set(props.points) };
}
