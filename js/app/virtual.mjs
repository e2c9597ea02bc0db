// Generated modules (see virtual.d.ts): the table of routes, its pages, their texts, the audit trail's parts, and
// for unit tests the fields and headings of the records' folders, and the lists.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { CLIENT, fileOf, isBare, js, pageNames, pagesByRoute, readRoutes } from "./page-table.mjs";
import { LANGUAGES, loadersSource, textsSource } from "./texts-source.mjs";

const path = (page) => JSON.stringify(`./${fileOf(page)}`);

/** `virtual:routes`: the table; for browsers without the parts that only the server reads, and without screens that do not exist yet. */
function routesSource({ lazy }) {
  const slim = (routes) =>
    routes.flatMap(({ points: _points, needs: _needs, status: _status, page, children, ...route }) => {
      const inside = slim(children ?? []);
      if (page === undefined && route.external === undefined && inside.length === 0) return [];
      return [{ ...route, ...(page && { page: true }), ...(inside.length > 0 && { children: inside }) }];
    });
  return `export const routes = ${JSON.stringify(lazy ? slim(readRoutes()) : readRoutes())};`;
}

/** `virtual:pages`: for browsers a function for each page in the layout, which loads it; else the pages themselves. */
function pagesSource({ lazy, partial }) {
  const routes = pagesByRoute(partial);
  if (lazy) {
    const loaders = routes.filter(([name]) => !isBare(name)).map(([name, page]) => `${JSON.stringify(name)}: () => import(${path(page)}),`);
    return `export const pages = {};\nexport const loadPage = {\n${loaders.join("\n")}\n};`;
  }
  const names = pageNames(partial);
  const imports = names.map((page, i) => `import page${i} from ${path(page)};`);
  const entries = routes.map(([name, page]) => `${JSON.stringify(name)}: page${names.indexOf(page)},`);
  return `${imports.join("\n")}\nexport const loadPage = {};\nexport const pages = {\n${entries.join("\n")}\n};`;
}

/** `virtual:bare`, for browsers: the page without the layout. */
function bareSource({ partial }) {
  const [, page] = pagesByRoute(partial).find(([name]) => isBare(name));
  return `export { default as Page } from ${path(page)};`;
}

/** `virtual:later`, for browsers: a function for each language, which loads the texts of lazy parts. */
function laterSource() {
  const loaders = Object.keys(LANGUAGES).map((language) => `${JSON.stringify(language)}: () => import("virtual:texts/later/${language}"),`);
  return `export const loadTexts = {\n${loaders.join("\n")}\n};`;
}

/** `virtual:trails`: what each trail.ts of an area or of one of its records says, in the order of their paths. */
function trailsSource() {
  const files = readdirSync(join(js, "areas"), { recursive: true })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => /^[^/]+\/([^/]+\/)?trail\.ts$/.test(file))
    .sort();
  const imports = files.map((file, i) => `import { trail as trail${i} } from ${JSON.stringify(`./areas/${file}`)};`);
  return `${imports.join("\n")}\nexport const trails = [${files.map((_, i) => `trail${i}`).join(", ")}];`;
}

/** `virtual:fields`: what each fields.tsx of a record exports, by its path; and the headings of all records. */
function fieldsSource() {
  const files = readdirSync(join(js, "areas"), { recursive: true })
    .map((file) => file.replaceAll("\\", "/"))
    .sort();
  const screens = files.filter((file) => file.endsWith("/fields.tsx"));
  const headings = files.filter((file) => file.endsWith("/headings.zh.json"));
  const imports = [
    ...screens.map((file, i) => `import * as fields${i} from ${JSON.stringify(`./areas/${file}`)};`),
    ...headings.map((file, i) => `import headings${i} from ${JSON.stringify(`./areas/${file}`)};`),
  ];
  const entries = screens.map((file, i) => `${JSON.stringify(file)}: fields${i},`);
  const all = headings.map((_, i) => `...headings${i}`).join(", ");
  return `${imports.join("\n")}\nexport const screens = {\n${entries.join("\n")}\n};\nexport const headings = { ${all} };`;
}

/** `virtual:lists`: what the modules export whose fields and row actions each list shows, by the path of the list; and whether rows can be picked. */
function listsSource() {
  const imports = [];
  const entries = [];
  const files = readdirSync(join(js, "areas"), { recursive: true }).map((file) => file.replaceAll("\\", "/"));
  for (const file of files.filter((name) => name.endsWith(".tsx")).sort()) {
    const source = readFileSync(join(js, "areas", file), "utf8");
    const props = source.split("<ListPage")[1];
    if (!props) continue;
    const part = (pattern) => {
      const [, name] = props.match(pattern) ?? [];
      if (!name) return "{}";
      const from = source.match(new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from "\\.([^"]+)"`))?.[1];
      const path = from ? `${dirname(file)}${from}` : file.replace(/\.tsx$/, "");
      imports.push(`import * as list${imports.length} from ${JSON.stringify(`./areas/${path}`)};`);
      return `{ name: ${JSON.stringify(name)}, module: list${imports.length - 1} }`;
    };
    const fields = part(/\bfields=\{(?:\w+ \? )?(\w+)/);
    const actions = part(/\bactions=\{(\w+)/);
    entries.push(`${JSON.stringify(file)}: { fields: ${fields}, actions: ${actions}, picks: ${/\bbatch=/.test(props)} },`);
  }
  return `${imports.join("\n")}\nexport const lists = {\n${entries.join("\n")}\n};`;
}

/** `virtual:texts` where all texts are there: those of a language are put together when they are first read, not at start. */
const allTexts = `export const texts = {
${Object.keys(LANGUAGES)
  .map((language) => `get ${JSON.stringify(language)}() { return require("virtual:texts/${language}").texts; },`)
  .join("\n")}
};`;

/** The same for a build that only lists imports: it needs no texts. */
const noTexts = `export const loadTexts = {}, textsOf = {}, texts = {};`;

/**
 * A plugin of esbuild that writes these modules for one of the bundles. With `texts`, a function that splits them, the
 * texts come as catalogues (texts.mjs), else whole.
 */
export function virtualModules({ texts, ...options }) {
  const sources = {
    "virtual:routes": () => routesSource(options),
    "virtual:pages": () => pagesSource(options),
    "virtual:bare": () => bareSource(options),
    "virtual:later": laterSource,
    "virtual:trails": trailsSource,
    "virtual:fields": fieldsSource,
    "virtual:lists": listsSource,
  };
  return {
    name: "virtual-modules",
    setup(build) {
      let split;
      build.onStart(async () => {
        split = await texts?.();
      });
      build.onResolve({ filter: /^virtual:(routes|pages|bare|later|trails|fields|lists)$/ }, ({ path }) => ({
        path,
        namespace: "virtual",
      }));
      build.onLoad({ filter: /.*/, namespace: "virtual" }, ({ path }) => ({ contents: sources[path](), loader: "js", resolveDir: js }));

      build.onResolve({ filter: /^virtual:texts(\/|$)/ }, ({ path }) => ({ path: path.slice("virtual:".length), namespace: "texts" }));
      build.onLoad({ filter: /.*/, namespace: "texts" }, ({ path }) => ({ contents: textsOf(path), loader: "js", resolveDir: js }));
      const textsOf = (path) => {
        if (!texts) return path === "texts" ? allTexts : textsSource(path.slice("texts/".length));
        if (!split) return noTexts;
        if (path === "texts") return loadersSource(split, options.partial);
        const [, name, language] = path.split("/");
        // Imports the entry, as all lazy modules do (on-top-of-client in build.mjs).
        return `import "./${CLIENT}";\nexport const texts = ${JSON.stringify(split.catalogues.get(name)[language])};`;
      };
    },
  };
}
