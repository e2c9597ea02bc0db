/// <reference types="node" />
/** Components in the fields of lists are called as functions (js/lib/html-of.ts): they may read contexts and hold no state. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

// The tests run in js/node_modules/.tests/areas.
const js = fileURLToPath(new URL("../../..", import.meta.url));
const STATELESS = ["useT", "useLocale", "useHasPoint", "useHasRole", "usePoints", "useRole", "useViewer", "useLocation", "useTodayInCell"];

test("components in fields hold no state", () => {
  const files = readdirSync(`${js}areas`, { recursive: true, encoding: "utf8" }).filter((name) => /(^|\/)fields\.tsx$/.test(name));
  assert.ok(files.length > 30, `${files.length} files of fields`);
  const wrong = files.flatMap((name) =>
    [...readFileSync(`${js}areas/${name}`, "utf8").matchAll(/\b(use[A-Z]\w*)\(/g)]
      .map(([, hook]) => hook!)
      .filter((hook) => !STATELESS.includes(hook))
      .map((hook) => `${name}: ${hook}`),
  );
  assert.deepEqual(wrong, []);
});
