// Builds the front end: node js/app/build.mjs --out DIR [options]
//
//   DIR/server.js        the server bundle, one classic script that sets globalThis.render
//   DIR/server.js.map    its source map, for stacks in the log
//   DIR/assets/*         what browsers fetch, names hashed by content, with .br and .gz beside
//   DIR/manifest.json    {client, css, site, preload, start}: what a page's document links to
//   DIR/sources          the files that the result depends on, one a line, relative to js/
//
// The server bundle is then evaluated with nothing but ECMAScript around it, so a
// module that touches `window` while it loads fails the build by name instead of
// failing in an isolate. `crates/front/build.rs` runs this file; so can you.
//
//   --compress       best (the default) for packages, quick for tests, none for development
//   --cache          a folder that keeps results by the content of their sources; one that is there
//                    is copied and nothing is built
//   --scripts        write what browsers run, and neither the server bundle nor the style sheet: for tests of the scripts
//   --partial        leave out pages of the table of routes whose file does not exist yet
//   --dev            readable code and React's development half, which warns of mismatches
//   --watch          build again whenever a source changes, until the process is ended; an open page
//                    reloads itself. Files are only added to DIR/assets, so that an open page finds
//                    the chunks that it has not loaded yet

import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createHash } from "node:crypto";
import { SourceMap } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import vm from "node:vm";
import zlib from "node:zlib";

import { BARE, BuildError, CLIENT, FRAME, isBare, pageNames, pagesByRoute, SITE } from "./page-table.mjs";
import { COPIED, PART_KINDS } from "./parts.mjs";
import { buildSheet, sheetsOfParts } from "./sheet.mjs";
import { isNoSource, sourceFiles } from "./sources.mjs";
import { LANGUAGES } from "./texts-source.mjs";
import { splitTexts } from "./texts.mjs";
import { virtualModules } from "./virtual.mjs";
import { watchTree } from "./watch.mjs";

/** The folder of the front end. */
const js = join(dirname(fileURLToPath(import.meta.url)), "..");
const { values: args } = parseArgs({
  options: {
    out: { type: "string", default: join(js, "dist") },
    partial: { type: "boolean", default: false },
    scripts: { type: "boolean", default: false },
    compress: { type: "string", default: "best" },
    cache: { type: "string" },
    dev: { type: "boolean", default: false },
    watch: { type: "boolean", default: false },
  },
});
if (!["best", "quick", "none"].includes(args.compress)) {
  console.error(`build.mjs: --compress is best, quick or none, not ${args.compress}`);
  process.exit(2);
}
const out = resolve(args.out);
const assets = join(out, "assets");
/** The packages, loaded when there is something to build. */
let esbuild, tailwind, oxide;

/** Options of both bundles. NODE_ENV selects React's development or production half. */
const common = {
  absWorkingDir: js,
  bundle: true,
  platform: "browser",
  target: "es2022",
  jsx: "automatic",
  minify: !args.dev,
  legalComments: "none",
  metafile: true,
  write: false,
  logLevel: "silent",
  define: { "process.env.NODE_ENV": args.dev ? '"development"' : '"production"' },
};

/**
 * `react-dom/server.edge` loads two renderers; the synchronous `renderToString`
 * is in one of them. The bundle takes only that one: half the code to start.
 */
const synchronousReact = {
  name: "synchronous-react",
  setup(build) {
    build.onResolve({ filter: /^react-dom\/server(\.edge|\.browser)?$/ }, () => ({
      path: join(js, "node_modules/react-dom/cjs", `react-dom-server-legacy.browser.${args.dev ? "development" : "production"}.js`),
    }));
  },
};

/**
 * React's renderer is CommonJS: one function around everything, which a browser parses twice, first to
 * skip it and then to run it, before the page is interactive. As a module it is parsed once.
 */
const reactDomAsModule = {
  name: "react-dom-as-module",
  setup(build) {
    if (args.dev) return;
    build.onResolve({ filter: /^react-dom\/client$/ }, () => ({
      path: join(js, "node_modules/react-dom/cjs/react-dom-client.production.js"),
    }));
    build.onLoad({ filter: /react-dom-client\.production\.js$/ }, ({ path }) => {
      const imports = [];
      const body = readFileSync(path, "utf8").replaceAll(/\brequire\(("[\w-]+")\)/g, (_, name) => {
        imports.push(`import required${imports.length} from ${name};`);
        return `required${imports.length - 1}`;
      });
      const contents = `${imports.join("\n")}
        const exports = {};
        ${body}
        export const { createRoot, hydrateRoot } = exports;`;
      return { contents, loader: "js" };
    });
  },
};

/** The suffix of copies that the page of all audit trails has of its own. */
const OF_TRAILS = "?in=trails";

/**
 * Makes another module of each import of a copied module (parts.mjs), of which the importing file takes what it uses. The page
 * of all audit trails has copies of the areas' modules as well: it would load a file for the fields of every record otherwise.
 */
const copies = {
  name: "copies",
  setup(build) {
    const copied = new Set(COPIED.map((name) => join(js, name)));
    build.onResolve({ filter: /^\.{1,2}\// }, ({ path, resolveDir, kind, importer, pluginData }) => {
      if (kind === "dynamic-import") return undefined;
      const ofTrails = pluginData === OF_TRAILS || importer === "virtual:trails";
      const isCopied = (file) => copied.has(file) || (ofTrails && file.startsWith(join(js, "areas/")) && existsSync(file));
      const module = ["", ".ts", ".tsx"].map((end) => join(resolveDir, path + end)).find((file) => /\.tsx?$/.test(file) && isCopied(file));
      // What a copy imports is of that copy.
      const suffix = pluginData ?? (ofTrails ? OF_TRAILS : `?in=${relative(js, importer)}`);
      return module && { path: module, suffix, sideEffects: false };
    });
    build.onLoad({ filter: /\.tsx?$/ }, ({ path, suffix }) => {
      if (suffix === "") return undefined;
      return { contents: readFileSync(path, "utf8"), loader: path.endsWith("x") ? "tsx" : "ts", pluginData: suffix };
    });
  },
};

/** Charts do not move, and a render has no timers: callbacks for the next frame are never run. */
const stillCharts = {
  name: "still-charts",
  setup(build) {
    build.onLoad({ filter: /zrender[\\/]lib[\\/]animation[\\/]requestAnimationFrame\.js$/ }, () => ({
      contents: "export default () => 0;",
    }));
  },
};

/**
 * Turns the limits of forms into enums, so that esbuild writes the value where a limit is named. As objects they would be one
 * file, and each page that names a limit would load those of all records.
 */
const limitsInPlace = {
  name: "limits-in-place",
  setup(build) {
    build.onResolve({ filter: /\/limits$/ }, ({ path, resolveDir }) => ({ path: join(resolveDir, `${path}.ts`), sideEffects: false }));
    build.onLoad({ filter: /[\\/]lib[\\/]limits\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, "utf8");
      const asEnum = (_, name, limits) => `export enum ${name} ${limits.replaceAll(":", " =")}`;
      return { contents: source.replaceAll(/^export const (\w+) = (\{[^}]*\}) as const;$/gm, asEnum), loader: "ts" };
    });
  },
};

/** Lazy parts load only in the browser; a synchronous render never loads them. */
const withoutLazyParts = {
  name: "without-lazy-parts",
  setup(build) {
    build.onResolve({ filter: /.*/ }, ({ kind, path }) => (kind === "dynamic-import" ? { path, namespace: "lazy" } : undefined));
    build.onLoad({ filter: /.*/, namespace: "lazy" }, ({ path }) => ({
      contents: `throw new Error("a render loads nothing: ${path}");`,
    }));
  },
};

const serverOptions = () => ({
  ...common,
  entryPoints: [{ in: "app/server.tsx", out: "server" }],
  inject: ["app/prelude.ts"],
  conditions: ["edge"],
  format: "iife",
  lineLimit: 300, // QuickJS looks back to the beginning of the line at every call: 13 s to start without
  charset: "ascii", // a one-byte string in the engine: half the memory, quicker to scan
  sourcemap: "external",
  sourcesContent: false,
  outdir: out,
  plugins: [withoutLazyParts, virtualModules({ lazy: false, partial: args.partial }), sheetsOfParts(), synchronousReact, stillCharts],
});

function writeServer(result) {
  for (const file of result.outputFiles) writeFileSync(file.path, file.contents);
  evaluate(result);
}

/** Runs the server bundle in a context that has only ECMAScript, as an isolate will. */
function evaluate({ outputFiles, metafile }) {
  const text = (suffix) => outputFiles.find((file) => file.path.endsWith(suffix)).text;
  const context = vm.createContext({});
  vm.runInContext("delete globalThis.WebAssembly; delete globalThis.Intl;", context);
  try {
    vm.runInContext(text("server.js"), context, { filename: "server.js" });
  } catch (error) {
    throw new BuildError(
      `the server bundle does not load with only ECMAScript around it\n  ${error}\n` +
        culprit(error, JSON.parse(text("server.js.map")), metafile),
    );
  }
  if (typeof context.render !== "function") {
    throw new BuildError("the server bundle sets no globalThis.render: see js/app/server.tsx");
  }
}

/** The source of an error in the bundle, and the chain of imports of that module. */
function culprit(error, map, metafile) {
  const at = /server\.js:(\d+):(\d+)/.exec(String(error?.stack));
  const entry = at && new SourceMap(map).findEntry(at[1] - 1, at[2] - 1);
  if (!entry?.originalSource) return "";
  const module = relative(js, resolve(out, entry.originalSource));
  const lines = [`  at js/${module}:${entry.originalLine + 1}:${entry.originalColumn + 1}`];
  const importerOf = (path) => Object.entries(metafile.inputs).find(([, { imports }]) => imports.some((i) => i.path === path))?.[0];
  const seen = new Set([module]);
  for (let next = importerOf(module); next && !seen.has(next); next = importerOf(next)) {
    seen.add(next);
    lines.push(`  imported by ${next.startsWith("virtual:") ? "the table of routes" : `js/${next}`}`);
  }
  return lines.join("\n");
}

/** The modules that others load by `import()`, and those that a document names. */
function lazyModules() {
  const pages = pagesByRoute(args.partial).flatMap(([route, page]) => (isBare(route) ? [] : [join(js, `areas/${page}.tsx`)]));
  const found = new Set([...[SITE, FRAME, BARE].map((name) => join(js, name)), ...pages]);
  for (const path of sourceFiles().filter((name) => /\.tsx?$/.test(name))) {
    const file = join(js, path);
    for (const [, target] of readFileSync(file, "utf8").matchAll(/(?<!typeof )\bimport\("(\.[^"]+)"\)/g)) {
      const module = resolve(dirname(file), target);
      found.add(existsSync(`${module}.ts`) ? `${module}.ts` : `${module}.tsx`);
    }
  }
  return found;
}

/**
 * Only the client's entry fetches lazy chunks, so everything in the entry is loaded before them. esbuild does not take this
 * into account and splits the entry into a file for every set of chunks that share a module. An import of the entry in each
 * lazy module makes those sets one. Lazy modules also import the frame: it is loaded already, or, on the login page, the page
 * that follows needs it. Modules that the frame and the login page share are in the entry, for the same reason. What pages
 * of a kind share is an entry, which those lazy modules import that need some of it (parts.mjs). Those that need texts of
 * the catalogue "later" wait for it (texts.mjs).
 */
const onTopOfClient = {
  name: "on-top-of-client",
  setup(build) {
    const client = join(js, CLIENT);
    const frameFile = join(js, FRAME);
    const entry = JSON.stringify(client);
    const frame = JSON.stringify(frameFile);
    const all = (modules) => modules.map((module, i) => `export * as shared${i} from ${JSON.stringify(join(js, module))};`).join("\n");
    const isBeforeFrame = (path) => path === frameFile || path === join(js, BARE);
    let lazy;
    build.onStart(() => {
      lazy = lazyModules();
    });
    build.onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
      if (path === client) return { contents: `${readFileSync(path, "utf8")}\n${all(split.shared)}\n`, loader: "tsx" };
      if (!lazy.has(path)) return undefined;
      const name = relative(js, path);
      const kinds = split.parts.kinds.get(name) ?? [];
      const added = [
        `import ${isBeforeFrame(path) ? entry : frame};`,
        ...kinds.map((kind) => `import "part:${kind}";`),
        ...(path === frameFile ? [all(split.parts.frame)] : []),
        ...(split.waiting.has(name) ? [`import { loadLaterTexts } from ${frame};\nawait loadLaterTexts();`] : []),
      ];
      return { contents: `${readFileSync(path, "utf8")}\n${added.join("\n")}\n`, loader: path.endsWith("x") ? "tsx" : "ts" };
    });
    build.onResolve({ filter: /^part:/ }, ({ path }) => ({ path: path.slice("part:".length), namespace: "part" }));
    build.onLoad({ filter: /.*/, namespace: "part" }, ({ path: kind }) => ({
      contents: `import ${frame};\n${all(split.parts.modules.get(kind))}\n`,
      resolveDir: js,
    }));
  },
};

/** The catalogues of the latest build. */
let split;

async function texts() {
  return (split = await splitTexts(esbuild, args.partial));
}

const clientOptions = () => ({
  ...common,
  entryPoints: [
    { in: CLIENT, out: "client" },
    { in: BARE, out: "bare" },
    { in: SITE, out: "site" },
    ...PART_KINDS.map((kind) => ({ in: `part:${kind}`, out: `part-${kind}` })),
  ],
  format: "esm",
  splitting: true,
  charset: "utf8",
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  outdir: assets,
  inject: args.watch ? ["app/reload.ts"] : [],
  plugins: [
    virtualModules({ lazy: true, partial: args.partial, texts }),
    sheetsOfParts(tailwind),
    copies,
    onTopOfClient,
    reactDomAsModule,
    limitsInPlace,
  ],
});

function writeClient(result) {
  const { outputs } = result.metafile;
  for (const file of result.outputFiles) {
    // Pages import what a part consists of, not its entry.
    if (outputs[relative(js, file.path)]?.entryPoint?.startsWith("part:")) continue;
    // A name is a hash of the content.
    if (!args.watch || !existsSync(file.path)) writeFileSync(file.path, file.contents);
  }
  return preloads(outputs, pageNames(args.partial));
}

/**
 * What documents name, from esbuild's metafile. `preload` has the files that a page loads: "page:PAGE" for its scripts, with
 * those of the frame unless the page has no layout, and "texts:LANGUAGE:PAGE" for its texts. `start` has the module that
 * starts the page.
 */
function preloads(outputs, pages) {
  const name = (path) => relative(assets, resolve(js, path));
  const staticImports = (path, found = new Set()) => {
    for (const { path: next, kind } of outputs[path].imports) {
      if (kind === "import-statement" && outputs[next] && !found.has(next)) {
        found.add(next);
        staticImports(next, found);
      }
    }
    return found;
  };
  const entries = new Map(Object.entries(outputs).flatMap(([path, { entryPoint }]) => (entryPoint ? [[entryPoint, path]] : [])));
  const entry = entries.get(CLIENT);
  const shared = staticImports(entry);
  // esbuild puts modules that other chunks import into a chunk, which the entry imports: a document loads that chunk.
  const [client, ...others] = shared;
  if (others.length > 0) throw new BuildError("the client's entry has several chunks: see on-top-of-client");
  const own = (path) => [path, ...staticImports(path)].filter((chunk) => chunk !== entry && !shared.has(chunk));

  const preload = {};
  const start = {};
  for (const page of pages) {
    const catalogues = split.ofPage.get(page);
    const isInLayout = catalogues.includes("frame");
    const first = entries.get(isInLayout ? `areas/${page}.tsx` : BARE);
    start[page] = name(first);
    preload[`page:${page}`] = own(first).map(name);
    for (const language of Object.keys(LANGUAGES)) {
      preload[`texts:${language}:${page}`] = catalogues.map((catalogue) => name(entries.get(`texts:texts/${catalogue}/${language}`)));
    }
  }
  return { client: name(client), site: name(entries.get(SITE)), preload, start };
}

/** Writes the style sheet of every page; returns its name. */
async function writeSheet() {
  const code = await buildSheet(tailwind, oxide, sourceFiles());
  const hash = createHash("sha256").update(code).digest("hex").slice(0, 8).toUpperCase();
  const name = `app-${hash}.css`;
  writeFileSync(join(assets, name), code);
  return name;
}

/**
 * Writes .br and .gz beside every asset; all at once, on the thread pool. The best level of both takes some
 * seconds, which pays only for browsers that fetch over a network.
 */
async function compressAssets() {
  const brotli = promisify(zlib.brotliCompress);
  const gzip = promisify(zlib.gzip);
  const [brotliQuality, gzipLevel] = args.compress === "best" ? [11, 9] : [4, 1];
  const quality = { [zlib.constants.BROTLI_PARAM_QUALITY]: brotliQuality };
  await Promise.all(
    readdirSync(assets).map(async (name) => {
      const path = join(assets, name);
      const plain = readFileSync(path);
      const size = { [zlib.constants.BROTLI_PARAM_SIZE_HINT]: plain.length };
      const [br, gz] = await Promise.all([brotli(plain, { params: { ...quality, ...size } }), gzip(plain, { level: gzipLevel })]);
      writeFileSync(`${path}.br`, br);
      writeFileSync(`${path}.gz`, gz);
    }),
  );
}

/** The cache key of these sources and options. */
function keyOf(sources) {
  const hash = createHash("sha256").update(JSON.stringify([args.compress, args.dev, args.partial, args.scripts, process.version]));
  for (const path of sources) hash.update(`\0${path}\0`).update(readFileSync(join(js, path)));
  return hash.digest("hex").slice(0, 32);
}

/** The most results that a cache holds. */
const KEPT = 8;

/** Copies the result of `key` to the output folder; returns whether the cache had it. */
function takeFromCache(key) {
  const kept = join(args.cache, key);
  if (!existsSync(kept)) return false;
  rmSync(out, { recursive: true, force: true });
  cpSync(kept, out, { recursive: true });
  const now = new Date();
  utimesSync(kept, now, now);
  return true;
}

/** Puts the result into the cache and takes the oldest ones out. */
function putIntoCache(key) {
  mkdirSync(args.cache, { recursive: true });
  const copy = mkdtempSync(join(args.cache, ".new-"));
  cpSync(out, copy, { recursive: true });
  try {
    renameSync(copy, join(args.cache, key));
  } catch {
    // Another build has put the same result there meanwhile.
    rmSync(copy, { recursive: true, force: true });
  }
  const age = (name) => statSync(join(args.cache, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const newestFirst = readdirSync(args.cache).sort((a, b) => age(b) - age(a));
  for (const name of newestFirst.slice(KEPT)) rmSync(join(args.cache, name), { recursive: true, force: true });
}

/** Loads the packages and empties the output folder. */
async function prepare() {
  [esbuild, tailwind, oxide] = await Promise.all([import("esbuild"), import("@tailwindcss/node"), import("@tailwindcss/oxide")]);
  rmSync(assets, { recursive: true, force: true });
  mkdirSync(assets, { recursive: true });
}

/** Builds everything once. `client` and `server` are functions that run esbuild. */
async function build(client, server) {
  const [scripts, css] = await Promise.all([
    client().then(writeClient),
    args.scripts ? undefined : writeSheet(),
    args.scripts ? undefined : server().then(writeServer),
  ]);
  if (args.compress !== "none") await compressAssets();
  const manifest = `${JSON.stringify({ ...scripts, css }, null, 2)}\n`;
  // Written last and replaced in one step: when it changes, the other files are complete.
  writeFileSync(join(out, "manifest.json.new"), manifest);
  renameSync(join(out, "manifest.json.new"), join(out, "manifest.json"));
}

async function buildOnce() {
  const sources = sourceFiles();
  const key = args.cache && keyOf(sources);
  if (!key || !takeFromCache(key)) {
    await prepare();
    await build(
      () => esbuild.build(clientOptions()),
      () => esbuild.build(serverOptions()),
    );
    writeFileSync(join(out, "sources"), sources.map((path) => `${path}\n`).join(""));
    if (key) putIntoCache(key);
  }
}

/** Builds whenever a source changes. A failure is printed, and the next change tries again. */
async function buildForEver() {
  await prepare();
  const [client, server] = await Promise.all([esbuild.context(clientOptions()), esbuild.context(serverOptions())]);
  let wanted = true;
  let wake = () => {};
  watchTree(js, isNoSource, () => {
    wanted = true;
    wake();
  });
  for (let edition = 1; ; edition++) {
    while (!wanted) await new Promise((resolve) => (wake = resolve));
    // An editor writes a file in several steps.
    await new Promise((resolve) => setTimeout(resolve, 30));
    wanted = false;
    const began = performance.now();
    try {
      await build(
        () => client.rebuild(),
        () => server.rebuild(),
      );
      writeFileSync(join(assets, "edition.json"), JSON.stringify(`${process.pid}.${edition}`));
      console.log(`front end: built in ${((performance.now() - began) / 1000).toFixed(2)} s`);
      process.send?.("built");
    } catch (error) {
      await report(error);
    }
  }
}

async function report(error) {
  if (error instanceof BuildError) {
    console.error(`front end: ${error.message}`);
  } else if (error.errors) {
    const messages = await esbuild.formatMessages(error.errors, { kind: "error", terminalWidth: 100 });
    console.error(messages.join("\n").trimEnd());
  } else {
    console.error(error);
  }
}

try {
  await (args.watch ? buildForEver() : buildOnce());
} catch (error) {
  await report(error);
  process.exit(1);
}
