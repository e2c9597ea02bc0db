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
const SHEET = 14304;

/** A page's bytes may grow by this factor without a new row. */
const MORE = 1.01;

/**
 * Bytes of JavaScript in Brotli and number of files that the Chinese document of a page makes a browser load. A page that
 * loads more fails; one that loads less may have its row made smaller.
 */
const BUDGETS: Readonly<Record<string, readonly [bytes: number, files: number]>> = {
  "login/page": [73317, 5],
  "dashboard/home": [88651, 5],
  "exception/not-found": [84514, 4],
  "exception/forbidden": [84514, 4],
  "exception/server-error": [84514, 4],
  "dashboard/workplace/page": [94035, 9],
  "dashboard/server/page": [91774, 8],
  "dashboard/monitor/page": [91791, 6],
  "dashboard/visualization": [93423, 9],
  "channel/channel/list": [101597, 9],
  "channel/channel/detail": [117731, 24],
  "channel/visit/list": [97006, 7],
  "product/product/list": [108539, 12],
  "product/product/detail": [126965, 27],
  "product/visit/list": [96759, 7],
  "org/org/list": [115500, 14],
  "org/org/detail": [120522, 21],
  "org/payee/list": [105470, 10],
  "org/payee/detail": [97229, 9],
  "org/visit/list": [100861, 7],
  "org/visit/by-plan": [100887, 7],
  "org/receipt/list": [102402, 8],
  "org/receipt/detail": [97468, 9],
  "plan/plan/list": [121803, 14],
  "plan/plan/detail": [136729, 28],
  "plan/plan/form": [156484, 36],
  "plan/push/list": [116958, 12],
  "plan/push/detail": [124978, 18],
  "plan/visit/list": [104784, 7],
  "plan/exposure/list": [104379, 6],
  "user/user/list": [115382, 12],
  "user/user/detail": [128531, 23],
  "user/user/form": [150659, 28],
  "user/blacklist/list": [104909, 7],
  "user/blacklist/detail": [99656, 8],
  "user/match/days": [104266, 7],
  "user/match/list": [110268, 9],
  "user/match/detail": [120317, 17],
  "user/feedback/list": [105304, 8],
  "user/feedback/detail": [120346, 17],
  "crm/salesperson/list": [113129, 10],
  "crm/team/list": [113196, 10],
  "crm/salesperson/detail": [106088, 10],
  "crm/team/detail": [107196, 10],
  "crm/pool/detail": [100198, 8],
  "crm/pool/list": [106233, 8],
  "crm/clue/list": [113833, 12],
  "crm/clue/detail": [134752, 27],
  "crm/clue/board": [115682, 12],
  "crm/clue/pool-list": [113855, 12],
  "crm/money/list": [106871, 8],
  "crm/money/days": [105534, 7],
  "crm/money/detail": [100579, 9],
  "crm/achievement/list": [107532, 9],
  "crm/center/page": [108223, 12],
  "finance/recharge/list": [103954, 9],
  "finance/recharge/detail": [98382, 11],
  "finance/account/list": [103089, 8],
  "finance/account/detail": [97640, 8],
  "finance/overview": [93591, 7],
  "finance/entry/list": [102761, 8],
  "finance/adjustment/list": [103417, 9],
  "finance/adjustment/detail": [97543, 10],
  "finance/statement/list": [102643, 9],
  "finance/balance/list": [102421, 7],
  "finance/transfer/list": [102884, 8],
  "finance/statement/detail": [106922, 11],
  "finance/invoice/list": [104550, 10],
  "finance/invoice/detail": [98675, 11],
  "finance/invoiceable/list": [103540, 8],
  "finance/partner-statement/list": [104362, 9],
  "finance/partner-statement/detail": [109769, 13],
  "finance/partner-item/list": [102405, 8],
  "finance/partner-adjustment/list": [102991, 7],
  "finance/payout/list": [103844, 9],
  "finance/payout/detail": [97827, 10],
  "pay/channel/list": [107220, 10],
  "pay/channel/detail": [107920, 12],
  "pay/order/list": [105160, 10],
  "pay/order/detail": [111039, 13],
  "pay/refund/list": [104044, 10],
  "pay/refund/detail": [108091, 12],
  "pay/exception/list": [102616, 8],
  "pay/exception/detail": [97588, 9],
  "pay/report/list": [101375, 7],
  "pay/statement/list": [102434, 8],
  "pay/statement/detail": [97638, 9],
  "pay/difference/list": [102200, 8],
  "pay/difference/detail": [96900, 9],
  "pay/link/list": [103105, 9],
  "pay/link/detail": [98665, 11],
  "chat/group/list": [103821, 12],
  "chat/group/detail": [98413, 13],
  "chat/staff/list": [100413, 9],
  "chat/staff/detail": [94130, 8],
  "chat/staff/figures": [100696, 8],
  "chat/customer/list": [101683, 9],
  "chat/customer/detail": [95732, 9],
  "chat/conversation/page": [102478, 11],
  "chat/wechat/list": [100007, 7],
  "chat/wechat/detail": [94362, 8],
  "chat/reply/list": [99738, 7],
  "chat/reply/detail": [93726, 7],
  "chart/stat/channel": [99918, 9],
  "chart/stat/product": [99923, 9],
  "chart/stat/system": [99927, 9],
  "chart/stat/org": [99924, 9],
  "chart/stat/org-days": [99923, 9],
  "chart/stat/channel-days": [99927, 9],
  "chart/stat/score": [99921, 9],
  "chart/stat/channel-months": [99922, 9],
  "chart/stat/system-months": [99942, 9],
  "chart/stat/org-months": [99941, 9],
  "chart/stat/product-months": [99923, 9],
  "project/project/list": [103461, 9],
  "project/project/form": [136310, 19],
  "project/project/detail": [99654, 12],
  "project/result/success": [88136, 8],
  "project/result/error": [87924, 8],
  "admin/account/list": [102150, 7],
  "admin/account/detail": [98932, 12],
  "admin/role/list": [102117, 8],
  "admin/role/detail": [97297, 11],
  "admin/setting/page": [93101, 6],
  "admin/check/list": [101908, 9],
  "admin/check/detail": [96783, 11],
  "admin/rule/list": [101500, 7],
  "admin/dictionary/list": [104217, 7],
  "admin/agreement/list": [102167, 7],
  "admin/agreement/detail": [96604, 7],
  "admin/menu/list": [92954, 5],
  "admin/notice/list": [101343, 7],
  "admin/notice/detail": [96058, 8],
  "admin/audit/list": [151029, 20],
  "admin/audit/detail": [151264, 20],
  "admin/login-log/list": [100827, 7],
  "admin/session/list": [101066, 6],
  "admin/sms/list": [102690, 8],
  "admin/sms/detail": [96601, 7],
  "account/center/page": [98366, 8],
  "account/setting/page": [97701, 7],
  "account/message/list": [97461, 7],
  "account/message/detail": [91040, 7],
};

interface Manifest {
  client: string;
  site: string;
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

const isText = (file: string) => /^(zh-CN|en-US)-/.test(file);

/** The scripts of a page, and those that it may load later, except `others`. */
function reachable({ manifest, scripts }: Build, page: string, others: ReadonlySet<string>): Set<string> {
  const found = new Set([manifest.client, ...manifest.preload[`page:${page}`]!]);
  for (const file of found) {
    for (const [, next] of scripts.get(file)!.matchAll(/(?:\bfrom|\bimport|\bimport\()"\.\/([^"]+)"/g)) {
      // Forms of new records that areas lend to others open with the texts of their own area.
      if (!isText(next!) && !others.has(next!) && !next!.startsWith("new-record-")) found.add(next!);
    }
  }
  return found;
}

const memo = <Value>(make: (file: string) => Value) => {
  const made = new Map<string, Value>();
  return (file: string): Value => {
    if (!made.has(file)) made.set(file, make(file));
    return made.get(file)!;
  };
};

/** A script and all that it imports at once. */
const importedBy = memo((script) => {
  const found = new Set([script]);
  for (const file of found) for (const [, next] of built.scripts.get(file)!.matchAll(/(?:\bfrom|\bimport)"\.\/([^"]+)"/g)) found.add(next!);
  return found;
});

/** The scripts that a script loads by `import()`. */
const lazyOf = memo((script) => [...built.scripts.get(script)!.matchAll(/\bimport\("\.\/([^"]+)"\)/g)].map(([, next]) => next!));

/** Whether a script waits for something before it has run. */
const waits = memo((script) => /\bawait [\w$]+\(\);?/.test(built.scripts.get(script)!));

/** The texts of lazy parts: the catalogue that no document names. */
function laterTexts(language: string): Readonly<Record<string, string>> {
  const named = new Set(Object.values(built.manifest.preload).flat());
  const found = [...built.scripts.keys()].filter((file) => file.startsWith(language) && !named.has(file));
  assert.equal(found.length, 1, "one catalogue is for lazy parts");
  return textsIn(built.scripts.get(found[0]!)!);
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
  const imported = [...built.scripts.get(built.manifest.site)!.matchAll(/\bimport\("\.\/([^"]+)"/g)].map(([, file]) => file!);
  const opened = new Set(imported.filter((file) => uses.get(file) === 1));
  for (const page of pages) if (!inFrame.includes(page)) for (const file of lists.get(page)!) opened.add(file);
  assert.ok(opened.size > pages.length - 2, `${opened.size} pages are opened by links`);
  const namedBy = memo((file) => namedKeys(built.scripts.get(file)!, keys));
  let checked = 0;
  let waiting = 0;
  for (const page of pages) {
    const atOnce = filesOf(built, page, "zh-CN");
    const scripts = reachable(built, page, inFrame.includes(page) ? opened : frame);
    for (const language of ["zh-CN", "en-US"] as const) {
      const catalogues = built.manifest.preload[`texts:${language}:${page}`]!.map((file) => textsIn(built.scripts.get(file)!));
      const loaded = Object.assign({}, ...catalogues) as Record<string, string>;
      const lazy = inFrame.includes(page) ? [...scripts].flatMap(lazyOf).filter((file) => scripts.has(file)) : [];
      for (const file of new Set(lazy)) {
        const parts = [...importedBy(file)].filter((part) => !atOnce.has(part));
        if (!parts.some((part) => [...namedBy(part)].some((key) => !(key in loaded)))) continue;
        waiting += 1;
        assert.ok(parts.some(waits), `${page}: ${file} runs before its texts are there`);
      }
      const later = inFrame.includes(page) ? { ...laterTexts(language), ...loaded } : loaded;
      for (const file of scripts) {
        if (isText(file)) continue;
        const isAtOnce = atOnce.has(file);
        for (const key of namedBy(file)) {
          checked += 1;
          assert.equal(
            (isAtOnce ? loaded : later)[key],
            texts[language][key as keyof (typeof texts)["zh-CN"]],
            `${page} names ${key} in ${file}, and does not load it`,
          );
        }
      }
    }
  }
  assert.ok(checked > 50_000 && waiting > 100, `${checked}, ${waiting}: the scripts are written in another way`);
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

test("an area with ten screens and 500 texts changes no file of another page", () => {
  const area = join(copy, "areas/made-up");
  mkdirSync(area);
  const words = Array.from({ length: 500 }, (_, i) => `"madeUp.text${i}": "made-up text number ${i}"`).join(",\n");
  for (const language of ["zh", "en"]) writeFileSync(join(area, `words.${language}.ts`), `export const words = {\n${words}\n};\n`);
  const screens = Array.from({ length: 10 }, (_, i) => {
    const body = [
      `const t = useT();`,
      `return <ListPage title={t(\`madeUp.text\${${i + 1}}\`)} api="/made-up${i}" points="made-up/list${i}" fields={[]} filters={[]} />;`,
    ];
    const imports = `import { useT } from "../../lib/i18n";\nimport { ListPage } from "../../ui/list-page";\n`;
    writeFileSync(join(area, `list${i}.tsx`), `${imports}export default function MadeUp${i}() {\n${body.join("\n")}\n}\n`);
    const title = { "zh-CN": `屏幕 ${i}`, "en-US": `Screen ${i}` };
    return {
      path: `/made-up/list${i}`,
      name: `madeUp${i}`,
      title,
      order: i,
      roles: ["*"],
      page: `made-up/list${i}`,
      loads: { list: `POST /made-up${i}/page` },
    };
  });
  const group = { name: "madeUp", title: { "zh-CN": "区域", "en-US": "Area" }, order: 1, children: screens };
  writeFileSync(join(area, "routes.json"), JSON.stringify([group]));
  const routes = join(copy, "app/routes.json");
  writeFileSync(routes, JSON.stringify([...(JSON.parse(readFileSync(routes, "utf8")) as unknown[]), { area: "made-up" }]));
  const grown = build();

  const own = grown.manifest.preload["texts:zh-CN:made-up/list9"]!.map((file) => textsIn(grown.scripts.get(file)!));
  assert.equal(Object.keys(own[1]!).length, 500);
  assert.ok(filesOf(grown, "made-up/list9", "zh-CN").size > 5);
  // A name has a hash of the content, and of the names of all imports: a browser that has the files loads none of them again.
  for (const page of pages) {
    for (const language of ["zh-CN", "en-US"]) {
      const [before, now] = [built, grown].map((one) => [...filesOf(one, page, language)].toSorted());
      assert.deepEqual(now, before, page);
    }
  }
  assert.notEqual(grown.manifest.site, built.manifest.site);
});
