// A page's HTML as plain React components, the yardstick of our own: each element of the HTML is an element of a component
// without state, contexts, handlers and translations; each row of a table is a component of its own.

import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

process.env.NODE_ENV = "production";
const require = createRequire(join(dirname(fileURLToPath(import.meta.url)), "../js/package.json"));
const { createElement, Fragment } = require("react");
const { renderToString } = require("react-dom/server");

/** Elements without an end. */
const VOID = new Set(["area", "br", "col", "hr", "img", "input", "link", "meta", "source"]);
/** Names of attributes that React knows by another one. */
const NAMES = { class: "className", for: "htmlFor", value: "defaultValue", checked: "defaultChecked" };
/** Elements that end, without an end tag, where one of these begins. */
const IMPLIED = { td: ["td", "th"], th: ["td", "th"], tr: ["td", "th", "tr"], li: ["li"] };
const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };

const unescaped = (text) => text.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name) => ENTITIES[name]);

/** The tree of a page's HTML, which React has written: `{tag, props, children}` and texts. */
function parse(html) {
  const top = { tag: null, props: {}, children: [] };
  const open = [top];
  for (const [, comment, end, tag, attributes, closed, text] of html.matchAll(/(<!--.*?-->)|<\/([\w-]+)>|<([\w-]+)((?:\s+[\w:-]+(?:="[^"]*")?)*)\s*(\/?)>|([^<]+)/gs)) {
    const into = open.at(-1);
    if (comment) continue;
    if (text !== undefined) into.children.push(unescaped(text));
    else if (end) {
      while (open.at(-1).tag !== end && open.at(-1).tag in IMPLIED) open.pop();
      const last = open.pop();
      if (last.tag !== end) throw new Error(`</${end}> ends <${last.tag}>`);
    } else {
      while (IMPLIED[tag]?.includes(open.at(-1).tag)) open.pop();
      const props = {};
      for (const [, name, value = ""] of attributes.matchAll(/([\w:-]+)(?:="([^"]*)")?/g)) {
        const isFlag = value === "" && !["value", "alt", "class"].includes(name);
        props[(tag === "input" || name === "class" || name === "for") && name in NAMES ? NAMES[name] : name] = isFlag ? true : unescaped(value);
      }
      const element = { tag, props, children: [] };
      open.at(-1).children.push(element);
      if (!closed && !VOID.has(tag)) open.push(element);
    }
  }
  if (open.length !== 1) throw new Error(`<${open.at(-1).tag}> has no end`);
  return top;
}

/** A component that writes an element as a person would: one `createElement` for each element, one component for each row. */
function componentOf(node) {
  const children = node.children.map((child) => (typeof child === "string" ? () => child : componentOf(child)));
  const write = () => createElement(node.tag ?? Fragment, { ...node.props }, ...children.map((child) => child()));
  if (node.tag !== "tr") return write;
  const Row = write;
  return () => createElement(Row, null);
}

/** A function that renders HTML, which React has written, from plain components. */
export function plainPage(html) {
  const Page = componentOf(parse(html));
  return () => renderToString(createElement(Page));
}
