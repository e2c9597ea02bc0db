/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import { texts } from "virtual:texts";

import type { OrgApi, OrgKey } from "../../../lib/api-types";
import { translator } from "../../../lib/i18n";
import { deliveryFields } from "./fields";

/** The keys as the settings show them. */
function shown(...keys: Partial<OrgKey>[]): unknown {
  const whole = keys.map((key, index) => ({
    fingerprint: `k${index}`,
    addedAt: 0,
    validUntil: null,
    isProposed: false,
    overlapHours: null,
    ...key,
  }));
  return deliveryFields.find(({ key }) => key === "keys")?.show?.({ keys: whole } as OrgApi, translator(texts["zh-CN"]));
}

test("a proposed key is not in use, and the one before it says how long it stays", () => {
  assert.equal(shown({}), "k0（1970-01-01 08:00 起使用）");
  assert.equal(shown({ isProposed: true }, { overlapHours: 720 }), "k0（待审核）、k1（审核通过后再用 720 小时）");
  assert.equal(shown({ isProposed: true }, { overlapHours: 0 }), "k0（待审核）、k1（审核通过后失效）");
});
