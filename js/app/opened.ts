/** The interface of the two kinds of pages, with the layout and without, to the browser's entry. */

import type { ComponentType, ReactNode } from "react";
import type { App, Role, TableMenu } from "../lib/app-context";
import type { Messages, Translate } from "../lib/i18n";
import type { OwnProps } from "../lib/types";

/** Makes a kind of page ready. */
export type Open = (props: OwnProps, linked: Linked) => Promise<Opened>;

/** What the links of the document load. */
export interface Linked {
  /** The page. */
  pages: readonly ComponentType[];
  texts: readonly Partial<Messages>[];
}

/** A page whose code and texts are loaded. */
export interface Opened {
  /** The texts, to which pages that are shown later add their own. */
  messages: Messages;
  /** What the pages of the viewer's role have in common. */
  role: (t: Translate) => Role;
  /** Makes the menu from the table of routes; absent if it comes from the server. */
  tableMenu?: TableMenu | undefined;
  /** The tree below the root, and what begins once it is there. */
  tree: (app: App) => { below: ReactNode; follow?: () => void };
}
