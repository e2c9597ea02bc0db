// Runs the unit tests of the front end: node test.mjs [WORD]
//
// Every *.test.ts and *.test.tsx whose path holds the word is compiled by esbuild and given to Node's own
// test runner. Packages are not compiled in: tests use the installed ones.

import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import * as esbuild from "esbuild";

import { sheetsOfParts } from "./app/sheet.mjs";
import { virtualModules } from "./app/virtual.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, "node_modules/.tests"); // from here, Node finds the packages
const word = process.argv[2] ?? "";
const tests = readdirSync(here, { recursive: true })
  .filter((path) => !path.startsWith("node_modules") && /\.test\.tsx?$/.test(path) && path.includes(word))
  .sort();
if (tests.length === 0) {
  console.log(`no unit tests of the front end in a file named ${word}`);
  process.exit(0);
}

rmSync(out, { recursive: true, force: true });
await esbuild.build({
  absWorkingDir: here,
  entryPoints: tests,
  bundle: true,
  packages: "external",
  platform: "node",
  format: "esm",
  jsx: "automatic",
  sourcemap: "inline",
  outbase: here,
  outdir: out,
  outExtension: { ".js": ".mjs" },
  plugins: [virtualModules({ lazy: false }), sheetsOfParts()],
});
const compiled = tests.map((path) => join(out, path.replace(/\.tsx?$/, ".mjs")));
const { status } = spawnSync(process.execPath, ["--enable-source-maps", "--test", ...compiled], {
  stdio: "inherit",
});
process.exit(status ?? 1);
