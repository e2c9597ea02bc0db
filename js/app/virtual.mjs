// The modules that no file holds (see virtual.d.ts): the pages of routes.json, and the audit trail's parts.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the front end. */
const js = join(dirname(fileURLToPath(import.meta.url)), "..");

/** A failure whose message says it all: printed without a stack. */
export class BuildError extends Error {}

const fileOf = (page) => `areas/${page}.tsx`;

/** The routes that show a page, as pairs of their name and the page. `partial` leaves out pages without a file. */
function pagesByRoute(partial) {
  const found = [];
  const visit = (routes) => {
    for (const { name, page, children } of routes) {
      if (page) found.push([name, page]);
      if (children) visit(children);
    }
  };
  visit(JSON.parse(readFileSync(join(js, "app/routes.json"), "utf8")));
  const missing = new Set(found.map(([, page]) => page).filter((page) => !existsSync(join(js, fileOf(page)))));
  if (missing.size > 0 && !partial) {
    const files = [...missing].map((page) => `js/${fileOf(page)}`).join(", ");
    throw new BuildError(`routes.json names pages that have no file: ${files}`);
  }
  return found.filter(([, page]) => !missing.has(page));
}

/** Every `page` of the route table, once each. */
export function pageNames(partial) {
  return [...new Set(pagesByRoute(partial).map(([, page]) => page))];
}

/** `virtual:pages`: for browsers a function a page, which loads it; else the pages themselves. */
function pagesSource({ lazy, partial }) {
  const path = (page) => JSON.stringify(`./${fileOf(page)}`);
  const routes = pagesByRoute(partial);
  if (lazy) {
    const loaders = routes.map(([name, page]) => `${JSON.stringify(name)}: () => import(${path(page)}),`);
    return `export const pages = {};\nexport const loadPage = {\n${loaders.join("\n")}\n};`;
  }
  const names = pageNames(partial);
  const imports = names.map((page, i) => `import page${i} from ${path(page)};`);
  const entries = routes.map(([name, page]) => `${JSON.stringify(name)}: page${names.indexOf(page)},`);
  return `${imports.join("\n")}\nexport const loadPage = {};\nexport const pages = {\n${entries.join("\n")}\n};`;
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

/** A plugin of esbuild that writes these modules for one of the bundles. */
export function virtualModules(options) {
  const sources = { "virtual:pages": () => pagesSource(options), "virtual:trails": trailsSource };
  return {
    name: "virtual-modules",
    setup(build) {
      build.onResolve({ filter: /^virtual:(pages|trails)$/ }, ({ path }) => ({ path, namespace: "virtual" }));
      build.onLoad({ filter: /.*/, namespace: "virtual" }, ({ path }) => ({ contents: sources[path](), loader: "js", resolveDir: js }));
    },
  };
}
