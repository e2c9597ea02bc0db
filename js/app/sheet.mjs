// The style sheets: app.css, which every page loads, and those of parts that the browser loads later.
//
// A module that is loaded by import(), and whose elements are in no page's HTML, imports the sheet that it alone needs:
// import "./palette.css". The sheet travels in its script, and the page takes it when the module is run.

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { js } from "./page-table.mjs";

/** Compiles the sheet of every page from app.css and the utilities that the sources name. */
export async function buildSheet(tailwind, oxide, sources) {
  const file = join(js, "app/app.css");
  const compiler = await tailwind.compile(readFileSync(file, "utf8"), {
    base: dirname(file),
    from: file,
    onDependency() {},
    // The browsers that the minifier targets support color-mix().
    polyfills: tailwind.Polyfills.None,
  });
  const scanner = new oxide.Scanner({ sources: [] });
  const candidates = scanner.scanFiles([{ content: classNames(sources), extension: "html" }]);
  return tailwind.optimize(compiler.build(candidates), { file, minify: true }).code;
}

/**
 * The texts of all `className`s: utilities are used nowhere else. Tailwind itself would scan whole sources and make
 * utilities of words like "filter", "ring" and "table".
 */
function classNames(sources) {
  const attribute = /\bclassName(?:=("[^"]*")|=\{((?:[^{}]|\{[^{}]*\})*)\}|: ("[^"]*"))/g;
  return (
    sources
      .filter((name) => name.endsWith(".tsx"))
      .flatMap((name) => [...readFileSync(join(js, name), "utf8").matchAll(attribute)])
      // An argument of a function is no class: buttonClass("outline").
      .flatMap(
        ([, text, expression, property]) => text ?? property ?? expression.replaceAll(/\w\([^()]*\)/g, "").match(/"[^"]*"|`[^`]*`/g) ?? [],
      )
      .join("\n")
  );
}

/**
 * A plugin of esbuild that makes a script of each sheet that a module imports. Without `tailwind`, whose minifier it needs,
 * the script is empty: a render has no document.
 */
export function sheetsOfParts(tailwind) {
  return {
    name: "sheets-of-parts",
    setup(build) {
      build.onLoad({ filter: /\.css$/ }, ({ path }) => ({ contents: tailwind ? takingSheet(tailwind, path) : "", loader: "js" }));
    },
  };
}

/** The page's policy forbids styles in its HTML, but lets scripts make sheets. */
function takingSheet(tailwind, file) {
  const { code } = tailwind.optimize(`@layer components { ${readFileSync(file, "utf8")} }`, { file, minify: true });
  return `const sheet = new CSSStyleSheet();
    sheet.replaceSync(${JSON.stringify(code.trim())});
    document.adoptedStyleSheets.push(sheet);`;
}
