// The modules of texts, as the build writes them.

import { readdirSync } from "node:fs";
import { join } from "node:path";

import { isBare, js, pagesByRoute } from "./page-table.mjs";

/** Each language with the ending of its files. */
export const LANGUAGES = { "zh-CN": "zh", "en-US": "en" };

/** The files that hold texts in a language, relative to js/. */
export function wordFiles(language) {
  const own = ["areas", "ui", "shell"].flatMap((folder) =>
    readdirSync(join(js, folder), { recursive: true })
      .map((file) => `${folder}/${file.replaceAll("\\", "/")}`)
      .filter((file) => file.endsWith(`/words.${LANGUAGES[language]}.ts`) || file.endsWith(`/headings.${LANGUAGES[language]}.json`)),
  );
  return [`locales/${language}/codes.ts`, ...own.sort()];
}

/** A module whose export `texts` has all texts in a language, and whose export `parts` has those of each file. */
export function textsSource(language) {
  const files = wordFiles(language);
  const imports = files.map((file, i) => {
    const name = file.endsWith(".json") ? `words${i}` : `{ ${file.endsWith("/codes.ts") ? "codes" : "words"} as words${i} }`;
    return `import ${name} from ${JSON.stringify(`./${file}`)};`;
  });
  const names = files.map((_, i) => `words${i}`);
  return `${imports.join("\n")}\nexport const parts = [${names}];\nexport const texts = Object.assign({}, ...parts);`;
}

/** `virtual:texts` for browsers: functions that load catalogues, and the names of those that a route needs. */
export function loadersSource({ catalogues, ofPage }, partial) {
  const inFrame = pagesByRoute(partial).filter(([route]) => !isBare(route));
  const ofRoute = inFrame.map(([route, page]) => [route, ofPage.get(page)]);
  const loaders = Object.keys(LANGUAGES).map((language) => {
    const each = [...catalogues.keys()].map((name) => `${JSON.stringify(name)}: () => import("virtual:texts/${name}/${language}"),`);
    return `${JSON.stringify(language)}: {\n${each.join("\n")}\n},`;
  });
  return `export const loadTexts = {\n${loaders.join("\n")}\n};\nexport const textsOf = ${JSON.stringify(Object.fromEntries(ofRoute))};`;
}
