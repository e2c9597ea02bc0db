/** The page contract: what the server hands to `render` and, unchanged, to the browser. */

import type { Settings, Theme } from "./api-types";

/** Languages of the interface; Chinese is the default, English the fallback of catalogues. */
export type Locale = "zh-CN" | "en-US";

export type { Theme };

/** Every answer of the API. `code` is "0000" when the call succeeded. */
export interface Envelope<T> {
  code: string;
  desc: string;
  data: T;
}

/** The signed-in member of staff. */
export interface Viewer {
  id: number;
  name: string;
  username: string;
  /** Code of the active role. */
  role: string;
  roleName: string;
  scope: "all" | "own" | "org" | "sub_org" | "self";
  orgId: number | null;
  orgName: string | null;
  avatar: string | null;
  /** True until an initial or expired password has been replaced; the shell then asks for a new one. */
  mustChangePwd: boolean;
  /** True until a second factor has been set up that the role asks for; nothing else works before. */
  mustEnrol: boolean;
}

/** A menu entry; the server has filtered and translated it. A node without children has null. */
export interface MenuNode {
  id: number;
  /** Route name, as in routes.json. */
  name: string;
  path: string;
  type: 1;
  title: string;
  icon: string | null;
  order: number;
  /** Address outside the product, opened in a new window. */
  external: string | null;
  /** The page can be opened, but the menu has no link to it. */
  hidden: boolean;
  children: MenuNode[] | null;
}

/** Why a form login without JavaScript is shown again: it failed, or a code is owed besides the password. */
export type LoginError =
  | { kind: "credentials" | "credentialsOrAddress" | "address" | "empty" | "stale" | "busy" | "lapsed" }
  | { kind: "locked"; minutes: number }
  | { kind: "code" | "wrongCode"; ticket: string };

/** A refused form, with what was typed. */
export interface FormError {
  desc: string;
  /** Messages by field. */
  fields: Record<string, string>;
  values: Record<string, string>;
}

/** What all pages of a role in one language have in common (crates/frame/src/access/role.rs). */
export interface RoleData {
  locale: Locale;
  menu: MenuNode[];
  /** Codes of the role's permission points. */
  points: string[];
}

/** The props in a document. What the pages of a role have in common comes apart from them, and rows of lists are columns. */
export interface OwnProps extends Omit<PageProps, "menu"> {
  /** Key of the viewer's {@link RoleData}; absent for strangers, who have no menu and no points. */
  roleData?: string;
}

/** Answers of a route's loads by name, from the server's props or from the browser's own calls. */
export type PageData = Readonly<Record<string, Envelope<unknown>>>;

/** What the layout shows of a page's route. */
export interface PageHead {
  title: string;
  /** Stands in for another page and has no address of its own: not found, forbidden, failed. */
  isSpecial?: boolean;
  /** Of the page of one record: the route of its list. */
  parent?: string;
  /** Of the page of one record: the load and the field that name the record, "receipt.no". */
  recordTitle?: string;
}

export interface PageProps {
  /** Path and query of the request. */
  url: string;
  /** Name of the route that is rendered: the requested one, or notFound, forbidden, serverError. */
  route: string;
  head: PageHead;
  status: 200 | 403 | 404 | 500;
  /** Null on the login page and for strangers. */
  viewer: Viewer | null;
  menu: readonly MenuNode[];
  locale: Locale;
  theme: Theme;
  /** The day in Shanghai when the page was made. */
  today: string;
  settings: Settings;
  data: PageData;
  /** Charts show only their tables: the engine would take too long to draw pictures. */
  noPictures?: boolean;
  loginError?: LoginError;
  /** Why a form that was sent without a script was refused. */
  formError?: FormError;
  /** Sent once after a login without JavaScript; the browser moves it to local storage. */
  token?: string;
}
