// The yardstick of the render: a page's HTML as plain React components. Each element of the HTML is an element of a
// component without state, contexts, handlers and translations; each row of a table is a component of its own. It is
// rendered in a loop as loop.mjs does with our bundle, by the same version of React.
//
// node plain.mjs page.html COUNT

import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
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
      const last = open.pop();
      if (last.tag !== end) throw new Error(`</${end}> ends <${last.tag}>`);
    } else {
      const props = {};
      for (const [, name, value = ""] of attributes.matchAll(/([\w:-]+)(?:="([^"]*)")?/g)) {
        const isFlag = value === "" && !["value", "alt", "class"].includes(name);
        props[(tag === "input" || name === "class" || name === "for") && name in NAMES ? NAMES[name] : name] = isFlag ? true : unescaped(value);
      }
      const element = { tag, props, children: [] };
      into.children.push(element);
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

const [file, count] = process.argv.slice(2);
const html = readFileSync(file, "utf8");
const Page = componentOf(parse(html));
const render = () => renderToString(createElement(Page));
for (let i = 0; i < 1500; i++) render();

const cpu = process.cpuUsage();
let length = 0;
for (let i = 0; i < Number(count); i++) length += render().length;
const { user, system } = process.cpuUsage(cpu);
console.log(JSON.stringify({ cpu: (user + system) / 1000 / Number(count), length: length / Number(count), of: html.length }));
