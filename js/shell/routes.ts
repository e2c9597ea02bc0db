/** The table of routes: every page once, flat. Browsers load it with app/site.ts. */

import { routes as table } from "virtual:routes";

import { isBare } from "../lib/bare";
import { formatQuery } from "../lib/query-string";
import type { Locale, MenuNode, PageHead } from "../lib/types";

interface TableEntry {
  path?: string;
  name: string;
  title: Record<Locale, string>;
  icon?: string;
  order?: number;
  hidden?: boolean;
  external?: string;
  /** File below js/areas; in browsers only whether there is one. */
  page?: string | true;
  public?: boolean;
  roles?: string[];
  document?: boolean;
  parent?: string;
  recordTitle?: string;
  loads?: Readonly<Record<string, string>>;
  children?: TableEntry[];
}

/** A route that shows a page. */
export interface PageRoute {
  name: string;
  /** Pattern of its address; a segment `:id` is the id of a record. Pages that stand in for others (not found, errors) have none. */
  path: string | null;
  title: Readonly<Record<Locale, string>>;
  /** Open without a login and without a place in the menu. */
  isPublic: boolean;
  /** Shown without the layout: a document of its own. */
  isBare: boolean;
  /** Roles that may open it; "*" is everyone. */
  roles: readonly string[];
  /** Calls that bring its data: "POST /channel/page" by the name the page uses. */
  loads: Readonly<Record<string, string>>;
  /** Always loaded as a document: part of it only the server can draw. */
  isDocument: boolean;
  /** Of the page of one record: the route of its list. */
  parent: string | null;
  /** Of the page of one record: the load and the field that name the record, "receipt.no". */
  recordTitle: string | null;
}

function flatten(entries: readonly TableEntry[], into: PageRoute[]): PageRoute[] {
  for (const entry of entries) {
    if (entry.page !== undefined) {
      into.push({
        name: entry.name,
        path: entry.path ?? null,
        title: entry.title,
        isPublic: entry.public ?? false,
        isBare: isBare(entry.name),
        roles: entry.roles ?? ["*"],
        loads: entry.loads ?? {},
        isDocument: entry.document ?? false,
        parent: entry.parent ?? null,
        recordTitle: entry.recordTitle ?? null,
      });
    }
    if (entry.children) flatten(entry.children, into);
  }
  return into;
}

/** Every page of the product, in the table's order. */
export const pageRoutes: readonly PageRoute[] = flatten(table as unknown as readonly TableEntry[], []);

/** The parameters of a path: ids by name. */
export type Parameters = Readonly<Record<string, string>>;

const byName: ReadonlyMap<string, PageRoute> = new Map(pageRoutes.map((route) => [route.name, route]));

/** The page route of a name, if there is one. */
export function findRoute(name: string): PageRoute | undefined {
  return byName.get(name);
}

/** Pages in the layout by their path, and those whose path has parameters by its segments. */
const byPath = new Map<string, PageRoute>();
const byPattern: [pattern: readonly string[], route: PageRoute][] = [];
for (const route of pageRoutes) {
  if (route.path === null || route.isBare) continue;
  if (route.path.includes(":")) byPattern.push([route.path.split("/"), route]);
  else byPath.set(route.path, route);
}

/** The page in the layout at a path, with the parameters of the path; as the server finds it (`by_path` in crates/base/src/routes.rs). */
export function pageAt(pathname: string): { route: PageRoute; params: Parameters } | null {
  const path = pathname.length > 1 ? pathname.replace(/\/+$/, "") : pathname;
  const route = byPath.get(path);
  if (route) return { route, params: {} };
  const segments = path.split("/");
  for (const [pattern, route] of byPattern) {
    const params: Record<string, string> = {};
    const fits = (part: string, i: number) => (part.startsWith(":") ? isId((params[part.slice(1)] = segments[i]!)) : part === segments[i]);
    if (pattern.length === segments.length && pattern.every(fits)) return { route, params };
  }
  return null;
}

/** What the layout shows of a route. */
export function headOf({ path, title, parent, recordTitle }: PageRoute, locale: Locale): PageHead {
  return {
    title: title[locale],
    ...(path === null && { isSpecial: true }),
    ...(parent && { parent }),
    ...(recordTitle && { recordTitle }),
  };
}

/** Whether a text can be the parameter of a path, as the server requires. */
const isId = (text: string): boolean => /^\d{1,15}$/.test(text);

/**
 * The address of a page: the parameters of its path are taken from `query`, and the rest of `query` follows.
 * Null for a page without an address, or when `query` lacks a parameter.
 */
export function addressOf({ path }: PageRoute, query: Readonly<Record<string, string>>): string | null {
  if (path === null) return null;
  const rest = { ...query };
  let whole = true;
  const address = path.replace(/:(\w+)/g, (_, name: string) => {
    const id = rest[name] ?? "";
    delete rest[name];
    whole &&= isId(id);
    return id;
  });
  return whole ? address + formatQuery(rest) : null;
}

/**
 * The menu built from the table, for when it does not come from the server: the pages for which
 * `opens` is true, in the table's order and with its titles.
 */
export function menuOfTable(locale: Locale, opens: (name: string) => boolean): MenuNode[] {
  let id = 0;
  const nodes = (entries: readonly TableEntry[]): MenuNode[] =>
    entries.flatMap((entry) => {
      const children = nodes(entry.children ?? []);
      const isOpen = entry.page !== undefined || entry.external !== undefined ? opens(entry.name) : children.length > 0;
      if (!isOpen) return [];
      const { name, path = "", icon = null, order = 0, external = null, hidden = false } = entry;
      return [
        {
          id: ++id,
          name,
          path,
          type: 1,
          title: entry.title[locale],
          icon,
          order,
          external,
          hidden,
          children: children.length > 0 ? children : null,
        },
      ];
    });
  return nodes(table as unknown as readonly TableEntry[]);
}
