/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import { texts } from "virtual:texts";

import { translator } from "../lib/i18n";
import { fieldText } from "./field";

test("a list of codes is shown by its labels, in a record and in a history", () => {
  const kinds = { kind: "enums", labels: "InvoiceKind" } as const;
  const [en, zh] = [translator(texts["en-US"]), translator(texts["zh-CN"])];
  assert.equal(fieldText(kinds, ["plain", "special"], en), "General, Special");
  assert.equal(fieldText(kinds, "plain, special, electronic", zh), "普票、专票、电子发票");
  for (const nothing of [[], null, ""]) assert.equal(fieldText(kinds, nothing, en), "-");
});
