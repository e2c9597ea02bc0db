// The texts of the front end, and the catalogues that browsers load of them.
//
// A folder of areas/, ui/ or shell/ keeps its texts in words.zh.ts and words.en.ts, and the headings of its fields, which
// Rust reads too, in headings.zh.json and headings.en.json; locales/ has the labels of codes, which Rust writes. The
// server bundle has all of them. For browsers they are split by what names them:
//
//   frame      what the frame and the parts of pages (parts.mjs) name: every page in the layout loads it
//   later      what the rest of ui/, shell/ and lib/ names: dialogs, forms, editors. The first lazy module that needs some
//              of it waits for it (build.mjs)
//   AREA       what the pages of an area name, what they import from other areas, and what of the rest they load at once;
//              without the frame's, and without the forms of new records of other areas, which open with the texts of theirs
//   trails     what a page names that imports virtual:trails, and so shows fields of all areas
//
// A page loads two of them: the frame's, and its area's or the trails; and "later" when a lazy module needs it. A page without
// the layout loads that of its area alone, which then has all that it needs.

import { readFileSync } from "node:fs";
import { join } from "node:path";

import { BARE, BuildError, CLIENT, FRAME, isBare, js, pagesByRoute, SITE } from "./page-table.mjs";
import { partsOf } from "./parts.mjs";
import { sheetsOfParts } from "./sheet.mjs";
import { LANGUAGES, textsSource, wordFiles } from "./texts-source.mjs";
import { virtualModules } from "./virtual.mjs";

/** All texts in a language, by their keys. */
export async function readTexts(esbuild, language) {
  const { outputFiles } = await esbuild.build({
    absWorkingDir: js,
    stdin: { contents: textsSource(language), resolveDir: js, loader: "js" },
    bundle: true,
    format: "esm",
    write: false,
    logLevel: "silent",
  });
  const { parts, texts } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
  const files = wordFiles(language);
  const owners = new Map();
  parts.forEach((part, i) => {
    for (const key of Object.keys(part)) {
      if (owners.has(key)) throw new BuildError(`the text ${key} is in js/${owners.get(key)} and in js/${files[i]}`);
      owners.set(key, files[i]);
    }
  });
  return texts;
}

/**
 * The keys of texts that a module names: whole keys ("receipt.create"), those below a name of
 * labels ("ReceiptStatus", "push.verdict"), and those with the beginning of a template (`receipt.${step}Title`).
 */
export function namedKeys(source, keys) {
  const named = new Set();
  const add = (start) => {
    for (const key of keys) if (key.startsWith(start)) named.add(key);
  };
  const known = new Set(keys);
  const code = source.replace(/(^|\s)\/\*[^]*?\*\/|^\s*\/\/.*$/gm, "");
  for (const [, word, end] of code.matchAll(/["'`]([A-Za-z]\w*(?:\.\w*)*)(["'`]|\$\{)/g)) {
    if (end === "${") {
      if (word.includes(".")) add(word);
    } else {
      if (known.has(word)) named.add(word);
      if (word.includes(".") || /^[A-Z]/.test(word)) add(`${word}.`);
    }
  }
  return named;
}

/** The imports of each module, from the browser's entries on; `later` if the import is dynamic. */
async function readImports(esbuild, partial) {
  const { metafile } = await esbuild.build({
    absWorkingDir: js,
    stdin: {
      contents: [CLIENT, FRAME, BARE, SITE].map((path, i) => `export * as entry${i} from "./${path}";`).join("\n"),
      resolveDir: js,
    },
    bundle: true,
    packages: "external",
    format: "esm",
    jsx: "automatic",
    write: false,
    metafile: true,
    outdir: join(js, "dist"),
    logLevel: "silent",
    plugins: [virtualModules({ lazy: true, partial, texts: async () => undefined }), sheetsOfParts()],
  });
  const [output] = Object.values(metafile.outputs);
  const importOf = ({ path, kind }) => ({ path, later: kind === "dynamic-import" });
  const isUsed = (path) => path.startsWith("virtual:") || output.inputs[path]?.bytesInOutput > 0;
  return new Map(
    Object.entries(metafile.inputs)
      .filter(([path]) => isUsed(path))
      .map(([path, { imports }]) => [path, imports.filter((one) => !one.external && isUsed(one.path)).map(importOf)]),
  );
}

/** The forms that an area lends to others (ui/new-record.ts). They are opened with the texts of their own area. */
const NEW_RECORD = /^areas\/(\w+)\/(?:\w+\/)?new-record\.tsx$/;

const PAGES = "virtual:virtual:pages";
const TRAILS = "virtual:virtual:trails";

/** The modules of `from` and all that they import; skips the modules of `without`, and dynamic imports if `later` is false. */
function reach(imports, from, without, later = true) {
  const found = new Set();
  const visit = (path) => {
    if (found.has(path) || without.includes(path)) return;
    found.add(path);
    for (const next of imports.get(path) ?? []) if (later || !next.later) visit(next.path);
  };
  for (const path of from) visit(path);
  return found;
}

/**
 * The catalogues: `catalogues` has for each name the texts in each language, `ofPage` the names of those that a page of
 * routes.json loads. `shared` are the modules that both kinds of pages need at once, with and without the layout, `parts`
 * those of kinds of pages (parts.mjs), and `waiting` the lazy modules that need texts of the catalogue "later".
 */
export async function splitTexts(esbuild, partial) {
  const languages = Object.keys(LANGUAGES);
  const [imports, ...texts] = await Promise.all([
    readImports(esbuild, partial),
    ...languages.map((language) => readTexts(esbuild, language)),
  ]);
  const keys = Object.keys(texts[0]);
  const named = new Map();
  const keysOf = (modules) => {
    const all = new Set();
    for (const path of modules) {
      if (!/\.tsx?$/.test(path)) continue;
      if (!named.has(path)) named.set(path, namedKeys(readFileSync(join(js, path), "utf8"), keys));
      for (const key of named.get(path)) all.add(key);
    }
    return all;
  };

  const start = [CLIENT];
  const parts = partsOf(imports, (from, without) => reach(imports, from, without, false), partial);
  const inFrame = reach(imports, [CLIENT, FRAME, ...parts.frame, ...[...parts.modules.values()].flat()], [], false);
  const frame = keysOf(inFrame);
  const isOfArea = (path) => path.startsWith("areas/");
  const later = keysOf([...imports.keys()].filter((path) => !isOfArea(path) && !inFrame.has(path)));
  for (const key of frame) later.delete(key);
  const wanted = new Map([
    ["frame", frame],
    ["later", later],
  ]);
  const ofPage = new Map();
  for (const [route, page] of pagesByRoute(partial)) {
    const file = `areas/${page}.tsx`;
    const [area] = page.split("/");
    const showsTrails = reach(imports, [file], start).has(TRAILS);
    const name = showsTrails ? "trails" : area;
    const own = wanted.get(name) ?? new Set();
    if (isBare(route)) {
      ofPage.set(page, [name]);
      for (const key of keysOf(reach(imports, [CLIENT, BARE], [PAGES, FRAME]))) own.add(key);
    } else {
      ofPage.set(page, ["frame", name]);
      const atOnce = reach(imports, [file], start, false);
      const others = [...imports.keys()].filter((path) => NEW_RECORD.exec(path) && NEW_RECORD.exec(path)[1] !== area);
      const named = [...reach(imports, [file], [...start, ...others])].filter((path) => isOfArea(path) || atOnce.has(path));
      for (const key of keysOf(named)) if (!frame.has(key)) own.add(key);
    }
    wanted.set(name, own);
  }

  const catalogues = new Map();
  for (const [name, own] of wanted) {
    if (own.size === 0) continue;
    const inOne = (all) => Object.fromEntries(keys.filter((key) => own.has(key)).map((key) => [key, all[key]]));
    catalogues.set(name, Object.fromEntries(languages.map((language, i) => [language, inOne(texts[i])])));
  }
  for (const [page, names] of ofPage)
    ofPage.set(
      page,
      names.filter((name) => catalogues.has(name)),
    );
  const ofFrame = reach(imports, [FRAME], start, false);
  const shared = [...reach(imports, [BARE], start, false)].filter((path) => ofFrame.has(path));
  return { catalogues, ofPage, shared, parts, waiting: waitingFor(later) };

  /** The lazy modules, without pages, that load one at once which names some of these keys. */
  function waitingFor(keys) {
    const pages = new Set(pagesByRoute(partial).map(([, page]) => `areas/${page}.tsx`));
    const [, bare] = pagesByRoute(partial).find(([route]) => isBare(route));
    const ofBare = reach(imports, [`areas/${bare}.tsx`], start);
    const targets = [...imports.values()].flatMap((each) => each.filter((one) => one.later).map(({ path }) => path));
    const isWaiting = (path) => {
      if (pages.has(path) || !/\.tsx?$/.test(path) || path.startsWith("app/") || (ofBare.has(path) && isOfArea(path))) return false;
      const loaded = [...reach(imports, [path], [...inFrame], false)].filter((each) => !isOfArea(each));
      return [...keysOf(loaded)].some((key) => keys.has(key));
    };
    return new Set(targets.filter(isWaiting));
  }
}
