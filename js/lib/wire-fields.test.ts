/// <reference types="node" />
/**
 * The server sends no field that nothing reads: each field of each type that pages import is named in the folder of
 * a page that imports it, and the rows of each list are imported by one. Fields that are read elsewhere are listed below with
 * the reason; the list may only get shorter.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";

const READ_ELSEWHERE: Readonly<Record<string, readonly [string[], string]>> = {
  Funds: [
    ["balanceCents", "giftCents", "frozenCents", "creditLimitCents"],
    "partners and the old client read them; a plan shows what is available",
  ],
  Me: [["scope", "orgId", "mustEnrol"], "the viewer of lib/types.ts, which each page carries"],
  MessageRow: [["dueAt"], "the tag of its state, messageType, is made of it"],
};

const root = process.cwd();
const types = new Map<string, string>();
const source = readFileSync(join(root, "js/lib/api-types.ts"), "utf8").replaceAll(/\/\*\*[^]*?\*\//g, "");
for (const [, name = "", body = ""] of source.matchAll(/export type (\w+)(?:<[^>]*>)? = ([^]*?);\n(?=\n|export|$)/g)) types.set(name, body);

/** The types that hold a type, itself included. */
function holders(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const [holder, body] of types) if (new RegExp(`\\b${name}\\b`).test(body)) holders(holder, found);
  return found;
}

const words = (text: string) => new Set(text.match(/\w+/g));
const files = readdirSync(join(root, "js"), { recursive: true, encoding: "utf8" })
  .filter((path) => /\.tsx?$/.test(path) && !/node_modules|^dist|locales|words\.|\.test\.|api-types/.test(path))
  .map((path) => ({ folder: /^areas\/[^/]+/.exec(path)?.[0] ?? dirname(path), text: readFileSync(join(root, "js", path), "utf8") }))
  .map(({ folder, text }) => {
    const imported = [...text.matchAll(/import (?:type )?\{([^}]*)\} from "[^"]*api-types"/g)].map(([, names = ""]) => names);
    return { folder, words: words(text), imports: words(imported.join(" ")) };
  });

/** Whether a page imports a type, or one that holds it. */
function isTaken(name: string): boolean {
  const through = holders(name);
  return files.some(({ imports }) => [...through].some((one) => imports.has(one)));
}

/** The fields of imported types that no importing page's folder names. */
function unread(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [name, body] of types) {
    const through = holders(name);
    const folders = new Set(files.filter(({ imports }) => [...through].some((one) => imports.has(one))).map(({ folder }) => folder));
    if (folders.size === 0) continue;
    const near = files.filter(({ folder }) => folders.has(folder));
    const missing = [...body.matchAll(/[{,\s]([a-zA-Z]\w*)\??:/g)]
      .map(([, field = ""]) => field)
      .filter((field) => !near.some((file) => file.words.has(field)));
    if (missing.length > 0) found.set(name, missing);
  }
  return found;
}

test("each field that pages take from the API is read by one of them", () => {
  assert.ok(types.size > 400 && files.length > 300, `${types.size} types, ${files.length} files`);
  const left = unread();
  for (const [names, [fields, reason]] of Object.entries(READ_ELSEWHERE)) {
    for (const name of names.split(", ")) {
      const missing = left.get(name) ?? [];
      assert.deepEqual(
        fields.filter((field) => !missing.includes(field)),
        [],
        `${name}: no exception is needed any more (${reason})`,
      );
      const others = missing.filter((field) => !fields.includes(field));
      if (others.length > 0) left.set(name, others);
      else left.delete(name);
    }
  }
  assert.deepEqual(Object.fromEntries(left), {}, "nothing reads these fields: show them, or do not send them");
});

/** The sources of the server. */
const server = readdirSync(join(root, "crates"), { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".rs"))
  .map((path) => readFileSync(join(root, "crates", path), "utf8"));

test("the rows of each list are taken by a page, which the test above then reads", () => {
  const rows = server
    .flatMap((text) => {
      const listings = [...text.matchAll(/\nimpl(?:<[^>]*>)? Listing for [^{]*\{[^]*?type Row = (\w+);/g)];
      const pages = [...text.matchAll(/-> (?:\w+::)*Result<Page<(\w+)>/g)];
      return [...listings, ...pages].map(([, row = ""]) => row);
    })
    .filter((row) => row.length > 1 && row !== "Self");
  assert.ok(rows.length > 40, `${rows.length} lists`);
  const left = rows.filter((row) => !types.has(row) || !isTaken(row));
  assert.deepEqual(left, [], "no page takes these rows");
});

test("each figure of the lists of visits is a column of one of them", () => {
  const pages = readdirSync(join(root, "js/areas"), { recursive: true, encoding: "utf8" }).filter((path) =>
    /\/visit\/[^/]+\.tsx$/.test(path),
  );
  assert.ok(pages.length >= 5, pages.join());
  const columns = words(pages.map((path) => readFileSync(join(root, "js/areas", path), "utf8")).join("\n"));
  const fields = [...(types.get("UvRow") ?? "").matchAll(/[{,\s]([a-zA-Z]\w*)\??:/g)].map(([, field = ""]) => field);
  // `id` is the row's key, `subjectId` the target of the link on its name.
  const left = fields.filter((field) => !["id", "subjectId"].includes(field) && !columns.has(field));
  assert.deepEqual(left, [], "no list of visits has these columns");
});
