/// <reference types="node" />
/** Each custom property that a sheet reads is set by a sheet or by a component, and holds a whole colour. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

// The tests run in js/node_modules/.tests/ui.
const js = fileURLToPath(new URL("../../..", import.meta.url));
const files = ["app", "areas", "lib", "shell", "ui"].flatMap((folder) =>
  readdirSync(`${js}${folder}`, { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`),
);
const sheets = files.filter((file) => file.endsWith(".css"));
const read = (file: string) => readFileSync(`${js}${file}`, "utf8");

/** Set by Base UI on elements that it positions. */
const BY_BASE_UI = ["--anchor-width", "--available-height"];

test("a property that a sheet reads is set somewhere", () => {
  const set = new Set(BY_BASE_UI);
  for (const file of sheets) for (const [, name] of read(file).matchAll(/(--[\w-]+)\s*:/g)) set.add(name!);
  for (const file of files.filter((name) => /(?<!\.test)\.tsx?$/.test(name))) {
    for (const [, name] of read(file).matchAll(/["'`](--[\w-]+)/g)) set.add(name!);
  }
  for (const file of sheets) {
    for (const [, name] of read(file).matchAll(/var\((--[\w-]+)/g)) assert.ok(set.has(name!), `${file}: nothing sets ${name}`);
  }
});

test("a token of a colour is a whole colour", () => {
  for (const file of sheets) assert.ok(!/rgba?\(\s*var\(/.test(read(file)), `${file}: rgb(var(…)) is no colour`);
});
