/// <reference types="node" />
/**
 * What may import what: app above areas above shell above ui above lib; an area imports another one only through its
 * share.ts; no import cycle, also not of types or lazy parts. Tests and tables (*.json) have no layer.
 */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const JS = join(process.cwd(), "js");
const LAYERS = ["lib", "ui", "shell", "areas", "app"];
const layerOf = (file: string) => LAYERS.indexOf(file.split("/")[0]!);
const areaOf = (file: string) => /^areas\/[^/]+\//.exec(file)?.[0];

const files = LAYERS.flatMap((folder) =>
  readdirSync(join(JS, folder), { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`),
).filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file));

/** The modules that a file imports by value, as a type or lazily. */
function importsOf(file: string): string[] {
  const found = readFileSync(join(JS, file), "utf8").matchAll(/(?:\bfrom|\bimport|\bimport\(|\brequire\()\s*"(\.[^"]+)"/g);
  const paths = [...found].map(([, path = ""]) => join(file, "..", path)).filter((path) => !/\.(json|css)$/.test(path));
  return paths.map(
    (path) =>
      [".ts", ".tsx", "/index.ts"].map((end) => path + end).find((each) => existsSync(join(JS, each))) ?? assert.fail(`${file}: ${path}`),
  );
}

const imports = new Map(files.map((file) => [file, importsOf(file)]));
const edges = [...imports].flatMap(([from, targets]) => targets.map((to) => ({ from, to })));

test("no layer imports one above it, and only app has the texts of a language", () => {
  assert.ok(edges.length > 3000, `${edges.length} imports`);
  const texts = ({ from, to }: (typeof edges)[number]) => to.startsWith("locales/") && !from.startsWith("app/");
  assert.deepEqual(
    edges.filter(({ from, to }) => layerOf(from) < layerOf(to)),
    [],
  );
  assert.deepEqual(edges.filter(texts), []);
});

test("an area imports another one only through its share.ts", () => {
  const across = edges.filter(({ from, to }) => areaOf(from) && areaOf(to) && areaOf(from) !== areaOf(to));
  assert.deepEqual(
    across.filter(({ to }) => to !== `${areaOf(to)}share.ts`),
    [],
  );
});

test("no module imports itself through others", () => {
  const done = new Set<string>();
  const visit = (file: string, path: string[]) => {
    assert.ok(!path.includes(file), [...path.slice(path.indexOf(file)), file].join(" -> "));
    if (done.has(file)) return;
    for (const target of imports.get(file) ?? []) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
});
