/** The interface of the two kinds of pages, with the layout and without, to the browser's entry. */

import type { ReactNode } from "react";
import type { App, Role } from "../lib/app-context";
import type { Messages, Translate } from "../lib/i18n";

/** A page whose code and texts are loaded. */
export interface Opened {
  /** The texts, to which pages that are shown later add their own. */
  messages: Messages;
  /** What the pages of the viewer's role have in common. */
  role: (t: Translate) => Role;
  /** The tree below the root, and what begins once it is there. */
  tree: (app: App) => { below: ReactNode; follow?: () => void };
}
