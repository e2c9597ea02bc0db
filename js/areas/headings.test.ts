/// <reference types="node" />
/**
 * A field has one name: on its screen, in its file and in the audit trail. Records with headings.zh.json and headings.en.json,
 * which the server reads, have it by construction, if their screens use these keys; of older lists the headings in the sources
 * of the server are compared with the titles of the screens.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { headings, screens } from "virtual:fields";
import { texts } from "virtual:texts";

import type { Field } from "../ui/field";
import { adminFields } from "./admin/account/fields";
import { checkFields } from "./admin/check/fields";
import { roleFields } from "./admin/role/fields";
import { smsFields } from "./admin/sms/fields";
import { channelFields } from "./channel/channel/fields";
import { orgFields } from "./org/org/fields";
import { payeeFields } from "./org/payee/fields";
import { planFields } from "./plan/plan/fields";
import { pushFields } from "./plan/push/fields";
import { productFields } from "./product/product/fields";
import { projectFields } from "./project/project/fields";
import { feedbackFields } from "./user/feedback/fields";
import { matchFields } from "./user/match/fields";
import { userFields } from "./user/user/fields";

const { "zh-CN": inChinese, "en-US": inEnglish } = texts;

type Fields = readonly Field<never>[];

/** Files of older lists, and the fields of their screens. */
const older: Readonly<Record<string, Fields>> = {
  "admin/src/account.rs": adminFields,
  "admin/src/role/list.rs": roleFields,
  "trade/src/channel/list.rs": channelFields,
  "trade/src/compliance/check.rs": checkFields("zh-CN"),
  "lead/src/feedback/list.rs": feedbackFields,
  "trade/src/match_log/list.rs": matchFields,
  "trade/src/org/list.rs": orgFields,
  "trade/src/org/payee/mod.rs": payeeFields,
  "trade/src/plan/list.rs": planFields,
  "lead/src/push/mod.rs": pushFields,
  "trade/src/product/list.rs": productFields,
  "trade/src/project/list.rs": projectFields,
  "frame/src/sms/list.rs": smsFields,
  "trade/src/user/list.rs": userFields,
};

/** Fields beside those of a list, whose titles are texts of the screen. */
const others: readonly string[] = ["linkBatchFields"];

test("a screen names its fields by the headings of its record", () => {
  const records = new Set(Object.keys(headings).map((title) => title.split(".")[0]!));
  let compared = 0;
  for (const [file, exported] of Object.entries(screens)) {
    for (const [name, fields] of Object.entries(exported)) {
      if (!isFields(fields) || others.includes(name)) continue;
      const record = fields[0]!.title.split(".")[0]!;
      if (!records.has(record)) continue;
      compared += 1;
      for (const { key, title, heading: own } of fields) {
        const heading = own ?? title;
        assert.equal(heading, `${record}.${key}`, file);
        assert.ok(heading in headings, `${file}: no headings.zh.json has ${heading}`);
      }
    }
  }
  assert.ok(compared > 25, "the fields are elsewhere");
});

/** Whether this is an array of fields, not one of filters. */
function isFields(exported: unknown): exported is Fields {
  return (
    Array.isArray(exported) && exported.length > 0 && exported.every((one) => typeof one === "object" && "key" in one && "title" in one)
  );
}

test("labels are those of texts that exist", () => {
  // The tests run in js/node_modules/.tests/areas.
  const js = fileURLToPath(new URL("../../..", import.meta.url));
  const files = ["areas", "ui", "shell"].flatMap((folder) =>
    readdirSync(`${js}${folder}`, { recursive: true, encoding: "utf8" }).map((file) => `${js}${folder}/${file}`),
  );
  let found = 0;
  for (const file of files.filter((name) => /(?<!\.test)\.tsx?$/.test(name))) {
    for (const [, labels] of readFileSync(file, "utf8").matchAll(/(?:labels[:=] ?|\b(?:codes|choices)\(|labelOf\(t, )"([\w.]+)"/g)) {
      found += 1;
      assert.ok(
        Object.keys(inChinese).some((key) => key.startsWith(`${labels}.`)),
        `${file}: there are no texts ${labels}.…`,
      );
    }
  }
  assert.ok(found > 100, "the sources are elsewhere");
});

test("an older list calls a field the same in its file and on its screen", () => {
  for (const [file, fields] of Object.entries(older)) {
    // The tests run in js/node_modules/.tests/areas.
    const source = readFileSync(new URL(`../../../../crates/${file}`, import.meta.url), "utf8");
    const columns = [...source.matchAll(/\bcolumn\(\s*"(\w+)",\s*"([^"]*)",\s*"([^"]*)"/g)].map(([, key, zh, en]) => [key, zh, en]);
    assert.ok(columns.length > 3, `${file} has no columns: is its file elsewhere?`);
    // If a list shows more under its title than the value, `heading` is the title of the value alone.
    const shown = new Map(fields.map(({ key, title, heading: own }) => [String(key), own ?? title]));
    const compared = columns.filter(([key]) => shown.has(key!));
    assert.ok(compared.length > 3, `${file} and its screen have no fields in common`);
    for (const [key, zh, en] of compared) {
      const title = shown.get(key!)!;
      assert.deepEqual([zh, en], [inChinese[title], inEnglish[title]], `${key} of ${file}`);
    }
  }
});
