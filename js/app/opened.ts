/** What the two kinds of pages, with the layout and without, give the browser's entry. */

import type { ReactNode } from "react";
import type { App } from "../lib/app-context";
import type { Messages } from "../lib/i18n";

/** A page whose code and texts are there. */
export interface Opened {
  /** The texts, which may grow: a page that is shown later brings its own. */
  messages: Messages;
  /** What stands below the root; null if the page stays as the server has drawn it. */
  tree: () => { below: ReactNode; follow?: (app: App) => void } | null;
}
