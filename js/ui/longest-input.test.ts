/** No input cuts a phone, a number, a code or a name that is pasted as people write it: with blanks, dashes and +86. */
/// <reference types="node" />
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

/** Of the compiled test, in js/node_modules/.tests/ui. */
const ROOT = join(import.meta.dirname, "../../../..");
/** An identity number, a bank account or a day in figures is not longer, also with a blank after every fourth of them. */
const LEAST = 40;

test("no input has a bound below what is pasted", () => {
  const sources = ["js/pages", "js/ui", "js/shell", "templates", "src"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(?:tsx?|html|rs)$/.test(name) && !/\.test\.tsx?$/.test(name))
      .map((name) => join(folder, name)),
  );
  assert.ok(sources.length > 300, "the sources are found");
  const bounds = sources.flatMap((name) =>
    [...readFileSync(join(ROOT, name), "utf8").matchAll(/max-?length["']?\s*[=:]\s*[{"']*\s*(\d+)\b(?!\s*\*)/gi)].map(([, number]) => ({ name, number: Number(number) })),
  );
  assert.ok(bounds.length > 10, "bounds are found");
  assert.deepEqual(bounds.filter(({ number }) => number < LEAST), []);
});
