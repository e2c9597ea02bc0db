/// <reference types="node" />
/**
 * A field has one name: on its screen, in its file and in the audit trail. Lists of the catalogue
 * (fields.json in js/locales) have it by construction, if their screens use the catalogue's keys; of older lists the
 * headings in the sources of the server are compared with the titles of the screens.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { texts } from "virtual:texts";

import english from "../locales/en-US/fields.json";
import chinese from "../locales/zh-CN/fields.json";
import type { Field } from "../ui/field";
import { adminFields } from "./admin/account/fields";
import { checkFields } from "./admin/check/fields";
import { roleFields } from "./admin/role/fields";
import { smsFields } from "./admin/sms/fields";
import { channelFields } from "./channel/channel/fields";
import { achievementFields } from "./crm/achievement/fields";
import { clueFields, pooledFields } from "./crm/clue/fields";
import { moneyFields } from "./crm/money/fields";
import { poolFields } from "./crm/pool/fields";
import { salespersonFields } from "./crm/salesperson/fields";
import { teamFields } from "./crm/team/fields";
import { accountFields } from "./finance/account/fields";
import { adjustmentFields } from "./finance/adjustment/fields";
import { balanceFields } from "./finance/balance/fields";
import { entryFields } from "./finance/entry/fields";
import { invoiceFields } from "./finance/invoice/fields";
import { invoiceableFields } from "./finance/invoiceable/fields";
import { partnerAdjustmentFields } from "./finance/partner-adjustment/fields";
import { partnerItemFields } from "./finance/partner-item/fields";
import { partnerStatementFields } from "./finance/partner-statement/fields";
import { payoutFields } from "./finance/payout/fields";
import { rechargeFields } from "./finance/recharge/fields";
import { statementFields } from "./finance/statement/fields";
import { transferFields } from "./finance/transfer/fields";
import { orgFields } from "./org/org/fields";
import { payeeFields } from "./org/payee/fields";
import { receiptFields } from "./org/receipt/fields";
import { payeeChannelFields } from "./pay/channel/fields";
import { paymentDifferenceFields } from "./pay/difference/fields";
import { paymentExceptionFields } from "./pay/exception/fields";
import { paymentLinkFields } from "./pay/link/fields";
import { paymentOrderFields } from "./pay/order/fields";
import { paymentRefundFields } from "./pay/refund/fields";
import { paymentStatementFields } from "./pay/statement/fields";
import { planFields } from "./plan/plan/fields";
import { pushFields } from "./plan/push/fields";
import { productFields } from "./product/product/fields";
import { projectFields } from "./project/project/fields";
import { blacklistFields } from "./user/blacklist/fields";
import { feedbackFields } from "./user/feedback/fields";
import { matchFields } from "./user/match/fields";
import { userFields } from "./user/user/fields";

const { "zh-CN": inChinese, "en-US": inEnglish } = texts;

type Fields = readonly Field<never>[];

/** Records of the catalogue, and the fields of their screens. */
const catalogued: Readonly<Record<string, Fields>> = {
  receipt: receiptFields, blacklist: blacklistFields, team: teamFields, salesperson: salespersonFields, pool: poolFields,
  clue: [...clueFields, ...pooledFields], money: moneyFields, achievement: achievementFields,
  recharge: rechargeFields, account: accountFields, entry: entryFields, transfer: transferFields, balance: balanceFields, adjustment: adjustmentFields, statement: statementFields,
  partnerStatement: partnerStatementFields, partnerItem: partnerItemFields, partnerAdjustment: partnerAdjustmentFields, payout: payoutFields,
  invoice: invoiceFields, invoiceable: invoiceableFields,
  payeeChannel: payeeChannelFields, paymentOrder: paymentOrderFields, paymentRefund: paymentRefundFields,
  paymentException: paymentExceptionFields, paymentLink: paymentLinkFields,
  paymentStatement: paymentStatementFields, paymentDifference: paymentDifferenceFields,
};

/** Files of older lists, and the fields of their screens. */
const older: Readonly<Record<string, Fields>> = {
  "admin/src/account.rs": adminFields,
  "admin/src/role/list.rs": roleFields,
  "trade/src/channel/list.rs": channelFields,
  "trade/src/compliance/check.rs": checkFields("zh-CN"),
  "lead/src/feedback/list.rs": feedbackFields,
  "trade/src/matching/list.rs": matchFields,
  "trade/src/org/list.rs": orgFields,
  "trade/src/org/payee/mod.rs": payeeFields,
  "trade/src/plan/list.rs": planFields,
  "lead/src/push/mod.rs": pushFields,
  "trade/src/product/list.rs": productFields,
  "trade/src/project/list.rs": projectFields,
  "frame/src/sms/list.rs": smsFields,
  "trade/src/user/list.rs": userFields,
};

test("a screen of the catalogue names its fields by the catalogue", () => {
  for (const [record, fields] of Object.entries(catalogued)) {
    for (const { key, title } of fields) {
      assert.equal(title, `${record}.${key}`);
      assert.ok(title in chinese && title in english, title);
    }
  }
});

test("no other text has a key of the catalogue", () => {
  for (const key of Object.keys(chinese) as (keyof typeof chinese)[]) {
    assert.deepEqual([inChinese[key], inEnglish[key]], [chinese[key], english[key]], key);
  }
});

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
      assert.ok(Object.keys(inChinese).some((key) => key.startsWith(`${labels}.`)), `${file}: there are no texts ${labels}.…`);
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
    // A list may show more than the value under its title; `told` is then the value's own.
    const shown = new Map(fields.map(({ key, title, told }) => [String(key), told ?? title]));
    const compared = columns.filter(([key]) => shown.has(key!));
    assert.ok(compared.length > 3, `${file} and its screen have no fields in common`);
    for (const [key, zh, en] of compared) {
      const title = shown.get(key!)!;
      assert.deepEqual([zh, en], [inChinese[title], inEnglish[title]], `${key} of ${file}`);
    }
  }
});
