/// <reference types="node" />
/** Whether an organisation takes leads, in a sentence. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { texts } from "virtual:texts";

import type { AccountDetail, OrgCheck, OrgRow } from "../../../lib/api-types";
import { translator } from "../../../lib/i18n";
import { standingOf } from "./standing";

const active = { status: "active", mode: "live", licenceNo: "L-1", licenceExpireOn: "2099-12-31" } as OrgRow;
const pending = { ...active, status: "pending" } as OrgRow;

interface Known {
  check?: Partial<OrgCheck>;
  account?: Partial<AccountDetail>;
}

const sentence = (row: OrgRow, { check, account }: Known = {}, locale: "zh-CN" | "en-US" = "zh-CN") =>
  standingOf(
    row,
    { today: "2027-01-07", check: (check as OrgCheck) ?? null, account: (account as AccountDetail) ?? null },
    translator(texts[locale]),
  );

test("an organisation in business takes leads, or says why not", () => {
  assert.equal(sentence(active), "合作中：可以接收线索。");
  assert.equal(sentence({ ...active, mode: "test" }), "合作中：测试机构，只接收测试渠道的线索。");
  assert.equal(sentence({ ...active, licenceExpireOn: "2027-01-06" }), "合作中，当前不接收线索：许可证已于 2027-01-06 到期。");
  assert.equal(sentence({ ...active, licenceExpireOn: "2027-01-07" }), "合作中：可以接收线索。", "its last day is not over");
  assert.equal(sentence({ ...active, licenceNo: null }), "合作中，当前不接收线索：许可证未登记。");
});

test("balances count for viewers who see them, and for organisations that pay", () => {
  const empty = { account: { status: "normal", availableCents: 0 } as const };
  assert.equal(sentence(active, empty), "合作中，当前不接收线索：余额已用完。");
  assert.equal(sentence({ ...active, mode: "test" }, empty), "合作中：测试机构，只接收测试渠道的线索。");
  assert.equal(
    sentence({ ...active, licenceNo: null }, { account: { status: "frozen", availableCents: 0 } }, "en-US"),
    "Active. The organisation takes no leads now: no licence is entered, the account is frozen.",
  );
});

test("a pending organisation shows what its first activation needs", () => {
  assert.equal(sentence(pending), "待审：不接收线索。首次启用需登记许可证，并通过合规检测。", "the check is not for every viewer");
  assert.equal(sentence(pending, { check: { passed: true } }), "待审：不接收线索。首次启用的条件已具备，可以启用。");
  assert.equal(
    sentence({ ...pending, licenceNo: null, licenceExpireOn: null }, { check: { passed: false, check: null } }),
    "待审：不接收线索。首次启用前还需登记许可证号、登记许可证有效期、通过合规检测。",
  );
  assert.equal(
    sentence(pending, { check: { passed: false, check: { result: "fail" } as never } }, "en-US"),
    "Pending. The organisation takes no leads. Its first activation still needs: a compliance check that passes (the last one failed).",
  );
});

test("a paused and a terminated organisation take none", () => {
  assert.equal(sentence({ ...active, status: "paused" }), "暂停：不接收线索，恢复后继续。");
  assert.equal(sentence({ ...active, status: "terminated" }), "终止：合作已结束，不再接收线索。");
});
