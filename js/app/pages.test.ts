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
  "login/page": [72433, 4],
  "dashboard/home": [91040, 6],
  "exception/not-found": [87354, 5],
  "exception/forbidden": [87354, 5],
  "exception/server-error": [87354, 5],
  "dashboard/workplace/page": [95198, 10],
  "dashboard/server/page": [93980, 8],
  "dashboard/monitor/page": [94177, 7],
  "dashboard/visualization": [94831, 9],
  "channel/channel/list": [105465, 12],
  "channel/visit/list": [98401, 8],
  "product/product/list": [112319, 14],
  "product/visit/list": [98119, 8],
  "org/org/list": [117558, 17],
  "org/payee/list": [107498, 14],
  "org/visit/list": [100493, 8],
  "org/visit/by-plan": [100520, 8],
  "org/receipt/list": [104278, 11],
  "org/receipt/detail": [98919, 11],
  "plan/plan/list": [121936, 20],
  "plan/push/list": [117505, 17],
  "plan/visit/list": [102632, 8],
  "plan/exposure/list": [102291, 7],
  "user/user/list": [117263, 17],
  "user/blacklist/list": [105588, 9],
  "user/match/days": [102669, 9],
  "user/match/list": [112633, 14],
  "user/feedback/list": [106174, 12],
  "crm/salesperson/list": [114101, 13],
  "crm/team/list": [114225, 14],
  "crm/salesperson/detail": [108213, 11],
  "crm/team/detail": [108321, 12],
  "crm/pool/detail": [101439, 10],
  "crm/pool/list": [107326, 12],
  "crm/clue/list": [115990, 17],
  "crm/clue/detail": [132242, 29],
  "crm/clue/board": [117391, 17],
  "crm/clue/pool-list": [116047, 17],
  "crm/money/list": [107904, 13],
  "crm/money/days": [104055, 9],
  "crm/money/detail": [101982, 11],
  "crm/achievement/list": [108294, 10],
  "crm/center/page": [107255, 12],
  "finance/recharge/list": [107288, 12],
  "finance/recharge/detail": [101865, 12],
  "finance/account/list": [106761, 12],
  "finance/account/detail": [101414, 10],
  "finance/overview": [96355, 9],
  "finance/entry/list": [106495, 12],
  "finance/adjustment/list": [106879, 13],
  "finance/statement/list": [107098, 12],
  "finance/balance/list": [105927, 10],
  "finance/transfer/list": [106400, 11],
  "finance/statement/detail": [109280, 11],
  "finance/invoice/list": [108021, 14],
  "finance/invoice/detail": [102112, 12],
  "finance/invoiceable/list": [107383, 13],
  "finance/partner-statement/list": [107980, 14],
  "finance/partner-statement/detail": [112911, 16],
  "finance/partner-item/list": [105993, 11],
  "finance/partner-adjustment/list": [106685, 12],
  "finance/payout/list": [107493, 14],
  "finance/payout/detail": [101503, 12],
  "pay/channel/list": [109982, 13],
  "pay/order/list": [109225, 16],
  "pay/order/detail": [113706, 17],
  "pay/refund/list": [108229, 16],
  "pay/exception/list": [106617, 12],
  "pay/report/list": [103200, 10],
  "pay/statement/list": [106557, 12],
  "pay/difference/list": [105906, 11],
  "pay/link/list": [106651, 11],
  "chat/group/list": [108247, 14],
  "chat/group/detail": [103348, 15],
  "chat/staff/list": [105172, 13],
  "chat/staff/detail": [99270, 11],
  "chat/staff/figures": [102020, 10],
  "chat/customer/list": [105962, 12],
  "chat/customer/detail": [100656, 12],
  "chat/conversation/page": [105111, 11],
  "chat/wechat/list": [104613, 10],
  "chat/wechat/detail": [99616, 11],
  "chat/reply/list": [104312, 10],
  "chat/reply/detail": [98947, 10],
  "chart/stat/channel": [104576, 11],
  "chart/stat/product": [104585, 11],
  "chart/stat/system": [104589, 11],
  "chart/stat/org": [104589, 11],
  "chart/stat/org-days": [104588, 11],
  "chart/stat/channel-days": [104589, 11],
  "chart/stat/score": [104581, 11],
  "chart/stat/channel-months": [104582, 11],
  "chart/stat/system-months": [104590, 11],
  "chart/stat/org-months": [104593, 11],
  "chart/stat/product-months": [104582, 11],
  "project/project/list": [107709, 11],
  "project/project/form": [136830, 17],
  "project/project/detail": [104606, 15],
  "project/result/success": [92946, 10],
  "project/result/error": [90269, 9],
  "admin/account/list": [106476, 9],
  "admin/role/list": [105884, 9],
  "admin/setting/page": [95466, 8],
  "admin/check/list": [105958, 12],
  "admin/rule/list": [105751, 11],
  "admin/dictionary/list": [106160, 10],
  "admin/agreement/list": [105516, 9],
  "admin/menu/list": [95110, 6],
  "admin/notice/list": [105455, 9],
  "admin/audit/list": [175708, 79],
  "admin/login-log/list": [104812, 8],
  "admin/session/list": [102656, 7],
  "admin/sms/list": [105881, 10],
  "account/center/page": [100714, 10],
  "account/setting/page": [100073, 9],
  "account/message/list": [99820, 9],
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
  const imported = [...built.scripts.get(built.manifest.site)!.matchAll(/\bimport\("\.\/([^"]+)"/g)].map(([, file]) => file!);
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
