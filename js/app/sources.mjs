// The files that the front end is built from.

import { readdirSync } from "node:fs";
import { join } from "node:path";

import { js } from "./page-table.mjs";

/** Whether a file or folder in js/ has no part in the result. For packages the lock file counts. */
export const isNoSource = (path) =>
  /(^|\/)\.|^(node_modules|dist)(\/|$)|^(test\.mjs|tsconfig\.json|screenshot\.png)$|\.test\.\w+$/.test(path);

/** The files that the result depends on, sorted. */
export function sourceFiles() {
  const found = [];
  const visit = (folder) => {
    for (const entry of readdirSync(join(js, folder), { withFileTypes: true })) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (isNoSource(path)) continue;
      if (entry.isDirectory()) visit(path);
      else found.push(path);
    }
  };
  visit("");
  return found.sort();
}
