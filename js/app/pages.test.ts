/// <reference types="node" />
/**
 * Checks in the built files that each page loads every text that it names, in both languages, and no more JavaScript or
 * CSS than the limits below. The scripts are built from a copy of the sources, so that an area can be added to it.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import vm from "node:vm";
import { brotliCompressSync } from "node:zlib";
import { routes as table } from "virtual:routes";
import { texts } from "virtual:texts";

// The tests run in js/node_modules/.tests/app.
const js = fileURLToPath(new URL("../../..", import.meta.url));
const { namedKeys }: { namedKeys: (source: string, keys: readonly string[]) => Set<string> } = await import(join(js, "app/texts.mjs"));

/** Bytes of the style sheet that every page loads, in Brotli. */
const SHEET = 14060;

/** A page's bytes may grow by this factor without a new row. */
const MORE = 1.01;

/**
 * Bytes of JavaScript in Brotli and number of files that the Chinese document of a page makes a browser load. A page that
 * loads more fails; one that loads less may have its row made smaller.
 */
const BUDGETS: Readonly<Record<string, readonly [bytes: number, files: number]>> = {
  "login/page": [72246, 4],
  "dashboard/home": [126329, 6],
  "exception/not-found": [122617, 5],
  "exception/forbidden": [122617, 5],
  "exception/server-error": [122617, 5],
  "dashboard/workplace/page": [130471, 10],
  "dashboard/server/page": [129234, 8],
  "dashboard/monitor/page": [129432, 7],
  "dashboard/visualization": [130094, 9],
  "channel/channel/list": [140639, 12],
  "channel/visit/list": [133563, 8],
  "product/product/list": [147454, 14],
  "product/visit/list": [133278, 8],
  "org/org/list": [152731, 17],
  "org/payee/list": [142687, 14],
  "org/visit/list": [135668, 8],
  "org/visit/by-plan": [135695, 8],
  "org/receipt/list": [139450, 11],
  "org/receipt/detail": [134192, 11],
  "plan/plan/list": [157085, 20],
  "plan/push/list": [152646, 17],
  "plan/visit/list": [137792, 8],
  "plan/exposure/list": [137452, 7],
  "user/user/list": [152395, 17],
  "user/blacklist/list": [140742, 9],
  "user/match/days": [137816, 9],
  "user/match/list": [147761, 14],
  "user/feedback/list": [141320, 12],
  "crm/salesperson/list": [149236, 13],
  "crm/team/list": [149370, 14],
  "crm/salesperson/detail": [143455, 11],
  "crm/team/detail": [143571, 12],
  "crm/pool/detail": [136709, 10],
  "crm/pool/list": [142487, 12],
  "crm/clue/list": [151115, 17],
  "crm/clue/detail": [167356, 29],
  "crm/clue/board": [152524, 17],
  "crm/clue/pool-list": [151167, 17],
  "crm/money/list": [143071, 13],
  "crm/money/days": [139218, 9],
  "crm/money/detail": [137257, 11],
  "crm/achievement/list": [143445, 10],
  "crm/center/page": [142489, 12],
  "finance/recharge/list": [142482, 12],
  "finance/recharge/detail": [137162, 12],
  "finance/account/list": [141916, 12],
  "finance/account/detail": [136677, 10],
  "finance/overview": [131642, 9],
  "finance/entry/list": [141663, 12],
  "finance/adjustment/list": [142049, 13],
  "finance/statement/list": [142262, 12],
  "finance/balance/list": [141081, 10],
  "finance/transfer/list": [141560, 11],
  "finance/statement/detail": [144453, 11],
  "finance/invoice/list": [143204, 14],
  "finance/invoice/detail": [137403, 12],
  "finance/invoiceable/list": [142557, 13],
  "finance/partner-statement/list": [143145, 14],
  "finance/partner-statement/detail": [148071, 16],
  "finance/partner-item/list": [141155, 11],
  "finance/partner-adjustment/list": [141864, 12],
  "finance/payout/list": [142653, 14],
  "finance/payout/detail": [136773, 12],
  "pay/channel/list": [145147, 13],
  "pay/order/list": [144386, 16],
  "pay/order/detail": [148876, 17],
  "pay/refund/list": [143400, 16],
  "pay/exception/list": [141784, 12],
  "pay/report/list": [138353, 10],
  "pay/statement/list": [141715, 12],
  "pay/difference/list": [141046, 11],
  "pay/link/list": [141807, 11],
  "chat/group/list": [143399, 14],
  "chat/group/detail": [138604, 15],
  "chat/staff/list": [140302, 13],
  "chat/staff/detail": [134528, 11],
  "chat/staff/figures": [137132, 10],
  "chat/customer/list": [141119, 12],
  "chat/customer/detail": [135916, 12],
  "chat/conversation/page": [140380, 11],
  "chat/wechat/list": [139771, 10],
  "chat/wechat/detail": [134872, 11],
  "chat/reply/list": [139471, 10],
  "chat/reply/detail": [134208, 10],
  "chart/stat/channel": [139733, 11],
  "chart/stat/product": [139741, 11],
  "chart/stat/system": [139743, 11],
  "chart/stat/org": [139744, 11],
  "chart/stat/org-days": [139740, 11],
  "chart/stat/channel-days": [139745, 11],
  "chart/stat/score": [139737, 11],
  "chart/stat/channel-months": [139739, 11],
  "chart/stat/system-months": [139746, 11],
  "chart/stat/org-months": [139749, 11],
  "chart/stat/product-months": [139740, 11],
  "project/project/list": [142873, 11],
  "project/project/form": [172011, 17],
  "project/project/detail": [139849, 15],
  "project/result/success": [128214, 10],
  "project/result/error": [125536, 9],
  "admin/account/list": [141638, 9],
  "admin/role/list": [141047, 9],
  "admin/setting/page": [130720, 8],
  "admin/check/list": [141134, 12],
  "admin/rule/list": [140914, 11],
  "admin/dictionary/list": [141328, 10],
  "admin/agreement/list": [140683, 9],
  "admin/menu/list": [130375, 6],
  "admin/notice/list": [140620, 9],
  "admin/audit/list": [210842, 79],
  "admin/login-log/list": [139981, 8],
  "admin/session/list": [137828, 7],
  "admin/sms/list": [141049, 10],
  "account/center/page": [135855, 10],
  "account/setting/page": [135257, 9],
  "account/message/list": [134974, 9],
};

interface Manifest {
  client: string;
  preload: Readonly<Record<string, readonly string[]>>;
}

interface Build {
  manifest: Manifest;
  /** The scripts by their names. */
  scripts: ReadonlyMap<string, string>;
}

const folder = mkdtempSync(join(tmpdir(), "leadlane-pages-"));
after(() => rmSync(folder, { recursive: true }));
const copy = join(folder, "js");
mkdirSync(copy);
for (const name of readdirSync(js)) {
  if (name === "node_modules") symlinkSync(join(js, name), join(copy, name));
  else if (name !== "dist") cpSync(join(js, name), join(copy, name), { recursive: true });
}

function build(): Build {
  const out = join(folder, "out");
  const { status, stderr } = spawnSync(process.execPath, [join(copy, "app/build.mjs"), "--scripts", "--compress", "none", "--out", out], {
    encoding: "utf8",
  });
  assert.equal(status, 0, stderr);
  const assets = join(out, "assets");
  const scripts = readdirSync(assets).map((name) => [name, readFileSync(join(assets, name), "utf8")] as const);
  return { manifest: JSON.parse(readFileSync(join(out, "manifest.json"), "utf8")) as Manifest, scripts: new Map(scripts) };
}

const built = build();

interface Entry {
  page?: string;
  children?: Entry[];
}

const pagesOf = (entries: readonly Entry[]): string[] =>
  entries.flatMap(({ page, children = [] }) => [...(page ? [page] : []), ...pagesOf(children)]);
const pages = [...new Set(pagesOf(table as unknown as readonly Entry[]))];

/** The scripts that a page's document makes a browser load: those that it names, and what they import. */
function filesOf({ manifest, scripts }: Build, page: string, language: string): Set<string> {
  const found = new Set([manifest.client, ...manifest.preload[`page:${page}`]!, ...manifest.preload[`texts:${language}:${page}`]!]);
  for (const file of found) for (const [, next] of scripts.get(file)!.matchAll(/(?:\bfrom|\bimport)"\.\/([^"]+)"/g)) found.add(next!);
  return found;
}

/** Whether a script is the one that opens the pages. */
const opensPages = (script: string) => (script.match(/\bimport\("/g)?.length ?? 0) > 50;

const isText = (file: string) => /^(zh-CN|en-US)-/.test(file);

/** The scripts of a page, and those that it may load later, except `others`. */
function reachable({ manifest, scripts }: Build, page: string, others: ReadonlySet<string>): Set<string> {
  const found = new Set([manifest.client, ...manifest.preload[`page:${page}`]!]);
  for (const file of found) {
    for (const [, next] of scripts.get(file)!.matchAll(/(?:\bfrom|\bimport|\bimport\()"\.\/([^"]+)"/g)) {
      if (!isText(next!) && !others.has(next!)) found.add(next!);
    }
  }
  return found;
}

/** The texts in a catalogue. */
function textsIn(script: string): Readonly<Record<string, string>> {
  const [, object] = /=(\{[^]*\});\s*export/.exec(script) ?? [];
  assert.ok(object, script.slice(0, 200));
  return vm.runInNewContext(`(${object})`) as Record<string, string>;
}

test("a page loads each text that it names, in both languages", () => {
  const keys = Object.keys(texts["zh-CN"]);
  const lists = new Map(pages.map((page) => [page, built.manifest.preload[`page:${page}`]!]));
  const uses = new Map<string, number>();
  for (const file of [...lists.values()].flat()) uses.set(file, (uses.get(file) ?? 0) + 1);
  // The frame is the files that all pages in the layout load; a page's own file is one that no other page loads.
  const most = Math.max(...uses.values());
  const frame = new Set([...uses.keys()].filter((file) => uses.get(file) === most));
  const inFrame = pages.filter((page) => lists.get(page)!.some((file) => frame.has(file)));
  assert.equal(inFrame.length, pages.length - 1, "all pages but one stand in the layout");
  const opener = [...frame].find((file) => opensPages(built.scripts.get(file)!));
  const imported = [...built.scripts.get(opener!)!.matchAll(/\bimport\("\.\/([^"]+)"/g)].map(([, file]) => file!);
  const opened = new Set(imported.filter((file) => uses.get(file) === 1));
  for (const page of pages) if (!inFrame.includes(page)) for (const file of lists.get(page)!) opened.add(file);
  assert.ok(opened.size > pages.length - 2, `${opened.size} pages are opened by links`);
  const named = new Map<string, Set<string>>();
  let checked = 0;
  for (const page of pages) {
    const scripts = reachable(built, page, inFrame.includes(page) ? opened : frame);
    for (const language of ["zh-CN", "en-US"] as const) {
      const catalogues = built.manifest.preload[`texts:${language}:${page}`]!.map((file) => textsIn(built.scripts.get(file)!));
      const loaded = Object.assign({}, ...catalogues) as Record<string, string>;
      for (const file of scripts) {
        // The table of routes names fields of loads in the same form as keys of texts.
        if (!named.has(file)) named.set(file, namedKeys(built.scripts.get(file)!.replace(/recordTitle:"[^"]*"/g, ""), keys));
        for (const key of named.get(file)!) {
          checked += 1;
          assert.equal(
            loaded[key],
            texts[language][key as keyof (typeof texts)["zh-CN"]],
            `${page} names ${key} in ${file}, and does not load it`,
          );
        }
      }
    }
  }
  assert.ok(checked > 50_000, `${checked}: the scripts are written in another way`);
});

test("a key that is put together begins with words", () => {
  for (const part of ["areas", "ui", "shell", "lib", "app"]) {
    for (const file of readdirSync(join(js, part), { recursive: true, encoding: "utf8" })) {
      if (!/(?<!\.test)\.tsx?$/.test(file) || file === "field.tsx") continue;
      const source = readFileSync(join(js, part, file), "utf8");
      assert.doesNotMatch(
        source,
        /\bt\(`\$\{|`\$\{[^`]*` as MessageKey|\bt\([^"`)]+ \+ /,
        `${part}/${file}: the build cannot find out which texts this needs`,
      );
    }
  }
});

test("no page loads more JavaScript than its row says", () => {
  const sizes = new Map<string, number>();
  const size = (file: string) => {
    if (!sizes.has(file)) sizes.set(file, brotliCompressSync(built.scripts.get(file)!).length);
    return sizes.get(file)!;
  };
  const wrong: string[] = [];
  for (const page of pages) {
    const files = [...filesOf(built, page, "zh-CN")];
    const bytes = files.reduce((sum, file) => sum + size(file), 0);
    const [most, count] = BUDGETS[page] ?? [0, 0];
    if (bytes > most * MORE || files.length > count * MORE) wrong.push(`  "${page}": [${bytes}, ${files.length}],`);
  }
  assert.ok(wrong.length === 0, `more than the table allows; with a reason, these are the new rows:\n${wrong.join("\n")}`);
  assert.deepEqual(Object.keys(BUDGETS), pages, "the table has the pages of the routes, in their order");
});

test("the sheet of every page grows no larger", async () => {
  const { buildSheet } = await import(join(js, "app/sheet.mjs"));
  const { sourceFiles } = await import(join(js, "app/sources.mjs"));
  const [tailwind, oxide] = await Promise.all([import("@tailwindcss/node"), import("@tailwindcss/oxide")]);
  const bytes = brotliCompressSync(await buildSheet(tailwind, oxide, sourceFiles())).length;
  assert.ok(bytes <= SHEET, `${bytes} bytes: a part that is loaded later may bring its own sheet (sheet.mjs)`);
});

test("what a document loads brings no sheet, which would come after its first picture", () => {
  const sheets = [...built.scripts].filter(([, script]) => script.includes("@layer components{")).map(([file]) => file);
  assert.ok(sheets.length > 10, `${sheets.length} scripts bring a sheet`);
  for (const page of pages) {
    const loaded = filesOf(built, page, "zh-CN");
    assert.deepEqual(
      sheets.filter((file) => loaded.has(file)),
      [],
      page,
    );
  }
});

test("each sheet is in that of every page or comes with parts, never both", () => {
  const names = readdirSync(js, { recursive: true, encoding: "utf8" }).filter((name) => !/^(node_modules|dist)\b/.test(name));
  const taken = new Map<string, Set<string>>();
  for (const name of names.filter((each) => /\.(css|tsx?)$/.test(each))) {
    for (const [, path = ""] of readFileSync(join(js, name), "utf8").matchAll(/^@?import "(\.[^"]+\.css)"/gm)) {
      const sheet = join(name, "..", path);
      taken.set(sheet, (taken.get(sheet) ?? new Set()).add(name.endsWith(".css") ? "page" : "part"));
    }
  }
  const sheets = names.filter((name) => name.endsWith(".css") && name !== join("app", "app.css"));
  assert.deepEqual([...taken.keys()].toSorted(), sheets.toSorted());
  assert.deepEqual(
    [...taken].filter(([, by]) => by.size > 1),
    [],
  );
});

test("an area with 500 texts changes no file of another page", () => {
  const area = join(copy, "areas/made-up");
  mkdirSync(area);
  const words = Array.from({ length: 500 }, (_, i) => `"madeUp.text${i}": "made-up text number ${i}"`).join(",\n");
  for (const language of ["zh", "en"]) writeFileSync(join(area, `words.${language}.ts`), `export const words = {\n${words}\n};\n`);
  const body = ["const t = useT();", "return t(`madeUp.text${1}`);"].join("\n");
  writeFileSync(join(area, "page.tsx"), `import { useT } from "../../lib/i18n";\nexport default function MadeUp() {\n${body}\n}\n`);
  const routes = join(copy, "app/routes.json");
  const one = { path: "/made-up", name: "madeUp", title: { "zh-CN": "x", "en-US": "x" }, order: 1, roles: ["*"], page: "made-up/page" };
  writeFileSync(routes, JSON.stringify([...(JSON.parse(readFileSync(routes, "utf8")) as unknown[]), one]));
  const grown = build();

  const own = grown.manifest.preload["texts:zh-CN:made-up/page"]!.map((file) => textsIn(grown.scripts.get(file)!));
  assert.equal(Object.keys(own[1]!).length, 500);
  // Each name has a hash of the content of the file and of its imports, which include the table of routes.
  const still = (script: string) => script.replace(/-[A-Z0-9]{8}\.js/g, "-HASH.js");
  for (const page of pages) {
    for (const language of ["zh-CN", "en-US"]) {
      const [before, now] = [built, grown].map((one) =>
        [...filesOf(one, page, language)]
          .map((file) => one.scripts.get(file)!)
          .filter((script) => !opensPages(script))
          .map(still),
      );
      assert.deepEqual(now!.toSorted(), before!.toSorted(), page);
    }
  }
});
