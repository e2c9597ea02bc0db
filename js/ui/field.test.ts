/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";

import { translator } from "../lib/i18n";
import { messages as english } from "../locales/en-US";
import { messages as chinese } from "../locales/zh-CN";
import { fieldText } from "./field";

test("a list of codes is shown by its labels, in a record and in a history", () => {
  const kinds = { kind: "enums", labels: "InvoiceKind" } as const;
  const [en, zh] = [translator(english), translator(chinese)];
  assert.equal(fieldText(kinds, ["plain", "special"], en), "General, Special");
  assert.equal(fieldText(kinds, "plain, special, electronic", zh), "普票、专票、电子发票");
  for (const nothing of [[], null, ""]) assert.equal(fieldText(kinds, nothing, en), "-");
});
