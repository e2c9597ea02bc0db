/** No input cuts what is pasted: a phone or a number as people write it, with blanks, dashes and +86, or a text that is too long. */
/// <reference types="node" />
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

/** From js/node_modules/.tests/ui, where the compiled test is. */
const ROOT = join(import.meta.dirname, "../../../..");
/** No identity number, bank account or day in figures is longer, even with a blank after every fourth figure. */
const LEAST = 40;

/** Inputs that may cut pasted text, since no longer text can match. The list may only get shorter. */
const MAY_CUT: Readonly<Record<string, string>> = {
  "js/areas/chat/conversation/list.tsx": "searches",
  "js/shell/palette.tsx": "searches",
  "js/ui/check-tree.tsx": "searches",
  "js/ui/days-filter.tsx": "filters by days",
  "js/ui/list-filter.tsx": "filters",
  "templates/talk.html": "a phone number of a visitor",
};

function sources(): string[] {
  const found = ["js/areas", "js/ui", "js/shell", "templates", "crates", "src"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(?:tsx?|html|rs)$/.test(name) && !/\.test\.tsx?$/.test(name))
      .map((name) => join(folder, name)),
  );
  assert.ok(found.length > 300, "the sources are found");
  return found;
}

test("no input has a bound below what is pasted", () => {
  const bounds = sources().flatMap((name) =>
    [...readFileSync(join(ROOT, name), "utf8").matchAll(/max-?length["']?\s*[=:]\s*[{"']*\s*(\d+)\b(?!\s*\*)/gi)].map(([, number]) => ({
      name,
      number: Number(number),
    })),
  );
  assert.ok(bounds.length > 5, "bounds are found");
  assert.deepEqual(
    bounds.filter(({ number }) => number < LEAST),
    [],
  );
});

test("no text is cut without a word", () => {
  const bounds = sources()
    .filter((name) => !/^(?:crates|src)\//.test(name))
    .flatMap((name) => Array.from(readFileSync(join(ROOT, name), "utf8").matchAll(/max-?length/gi), () => name));
  assert.deepEqual(bounds.sort(), Object.keys(MAY_CUT).sort(), "one in each of them, and none elsewhere");
  const areas = sources().filter((name) => /<textarea[^>]*max-?length/i.test(readFileSync(join(ROOT, name), "utf8")));
  assert.deepEqual(areas, []);
});
