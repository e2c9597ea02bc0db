/**
 * Writes nodes as HTML that React does not manage, such as the cells of tables: a page has hundreds of their elements, and
 * React would render each on the server and hydrate each in the browser.
 */
import { Fragment, type ReactElement, type ReactNode } from "react";

import { escapeHtml } from "./html";

/** Elements without an end tag. */
const VOID: ReadonlySet<string> = new Set(["br", "hr", "img", "input"]);

/** Attributes whose name in HTML is not the lower-case name of the property. */
const NAMES: Readonly<Record<string, string>> = { className: "class", htmlFor: "for", tabIndex: "tabindex", viewBox: "viewBox" };

/** Attributes that are there or not, without a value. */
const SWITCHES: ReadonlySet<string> = new Set(["checked", "disabled", "hidden", "open", "download"]);

/**
 * The HTML of a node, as React would write it. Components are called as functions: they may read contexts, but hooks with
 * state would be taken for those of the caller; js/areas/cells.test.ts looks for them. Throws for what HTML cannot have:
 * handlers, refs, styles and components of other kinds.
 */
export function htmlOf(node: ReactNode): string {
  if (typeof node === "string") return escapeHtml(node);
  if (typeof node === "number" || typeof node === "bigint") return String(node);
  if (node === null || node === undefined || typeof node === "boolean") return "";
  if (Array.isArray(node)) {
    let html = "";
    for (const child of node as readonly ReactNode[]) html += htmlOf(child);
    return html;
  }
  const { type, props } = node as ReactElement<Record<string, unknown>>;
  if (type === Fragment) return htmlOf(props["children"] as ReactNode);
  if (typeof type === "string") return elementHtml(type, props);
  if (typeof type !== "function") throw new TypeError("text cannot have this kind of component");
  return htmlOf((type as (props: unknown) => ReactNode)(props));
}

function elementHtml(tag: string, props: Readonly<Record<string, unknown>>): string {
  let html = `<${tag}`;
  for (const name in props) {
    if (name !== "children" && name !== "dangerouslySetInnerHTML") html += attributeHtml(name, props[name]);
  }
  if (VOID.has(tag)) return `${html}>`;
  const ready = props["dangerouslySetInnerHTML"] as { __html: string } | undefined;
  return `${html}>${ready ? ready.__html : htmlOf(props["children"] as ReactNode)}</${tag}>`;
}

function attributeHtml(name: string, value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "function" || typeof value === "object") throw new TypeError(`text cannot have the attribute ${name}`);
  if (typeof value === "boolean" && !name.startsWith("aria-") && !name.startsWith("data-")) {
    if (!SWITCHES.has(name)) throw new TypeError(`text cannot have the attribute ${name}`);
    return value ? ` ${name}=""` : "";
  }
  const known = NAMES[name];
  if (known === undefined && name !== name.toLowerCase()) throw new TypeError(`text cannot have the attribute ${name}`);
  // As React does.
  if (name === "href" && runsScript(String(value))) return "";
  return ` ${known ?? name}="${escapeHtml(String(value))}"`;
}

/** Whether an address would run a script; browsers skip spaces and control characters in it. */
function runsScript(address: string): boolean {
  return !address.startsWith("/") && /^\p{Cc}*javascript:/iu.test(address.replaceAll(/\s/g, ""));
}
