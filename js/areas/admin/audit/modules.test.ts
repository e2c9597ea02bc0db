/** The audit trail has a title for every field of every record. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { texts } from "virtual:texts";
import { trails } from "virtual:trails";

import type { Module } from "../../../lib/api-types";
import {
  accountStatusCodes,
  adjustmentStatusCodes,
  differenceKindCodes,
  differenceStatusCodes,
  entryKindCodes,
  exceptionKindCodes,
  exceptionStatusCodes,
  invoiceKindCodes,
  invoiceStatusCodes,
  moduleCodes,
  orderStatusCodes,
  payeeChannelStatusCodes,
  paymentLinkStatusCodes,
  rechargeStatusCodes,
  refundStatusCodes,
  statementDayStatusCodes,
  statementStatusCodes,
} from "../../../lib/codes";
import { fieldsOf, titlesOf } from "./modules";

const { "zh-CN": inChinese, "en-US": inEnglish } = texts;

/** The row type of each module, and the fields that its trail never has: ids beside names, and values that it has in another form. */
interface TrailRecord {
  row: string;
  never?: string[];
}
const records: Readonly<Record<string, TrailRecord | TrailRecord[]>> = {
  blacklist: { row: "BlacklistRow", never: ["scopeId"] },
  channel: { row: "ChannelRow", never: ["ownerAdminId"] },
  receipt: { row: "ReceiptRow", never: ["orgId", "payeeOrgId", "createdBy"] },
  finance: [
    { row: "RechargeRow", never: ["orgId", "payeeOrgId", "receiptId", "paymentOrderId", "createdBy"] },
    { row: "AccountRow" },
    { row: "AdjustmentRow", never: ["orgId", "createdBy"] },
    { row: "StatementRow", never: ["orgId"] },
    { row: "PartnerStatementRow", never: ["channelId", "hasEarlier"] },
    { row: "PartnerAdjustmentRow", never: ["statementId", "channelId", "createdBy"] },
    { row: "PayoutRow", never: ["statementId", "channelId", "payeeOrgId", "createdBy", "paidBy"] },
    { row: "InvoiceRow", never: ["orgId", "payeeOrgId", "redOfId", "createdBy"] },
  ],
  payment: [
    { row: "PayeeChannelRow", never: ["payeeOrgId", "keysBy", "payeeEnabled", "hasOrders", "proposed"] },
    { row: "PaymentOrderRow", never: ["orgId", "payeeChannelId", "payeeOrgId", "clueId", "rechargeId", "token"] },
    {
      row: "PaymentRefundRow",
      never: ["orgId", "payeeChannelId", "paymentOrderId", "createdBy", "orderPaidCents", "orderRefundingCents", "orderRefundedCents"],
    },
    { row: "PaymentExceptionRow", never: ["payeeChannelId", "paymentOrderId", "orgId"] },
    { row: "PaymentLinkRow", never: ["payeeChannelId", "paymentOrderId", "batchId", "batchVersion"] },
    { row: "PaymentStatementRow", never: ["payeeChannelId", "payeeOrgId"] },
    { row: "PaymentDifferenceRow", never: ["paymentStatementId", "paymentOrderId"] },
  ],
  organisation: { row: "OrgRow", never: ["licenceFileId", "payeeOrgId", "ownerAdminId", "deliveryMakers", "proposed"] },
  plan: { row: "PlanRow", never: ["orgId", "change"] },
  push: { row: "PushRow", never: ["userId", "planId", "orgId", "subOrgId", "channelId", "productId", "returnId", "returnAsker"] },
  product: { row: "ProductRow", never: ["orgId", "logoFileId"] },
  project: { row: "ProjectRow", never: ["applicantAdminId"] },
  admin: { row: "AdminRow", never: ["orgId", "subOrgId", "builtin"] },
  sms: { row: "SmsRow" },
  return: { row: "ReturnRow", never: ["pushId", "orgId", "createdBy"] },
  user: { row: "UserRow" },
  feedback: { row: "FeedbackRow", never: ["userId", "pushId", "callbackAttempts"] },
  chatCustomer: { row: "CustomerRow", never: ["userId", "conversationId"] },
  role: { row: "RoleRow", never: ["builtin", "editable"] },
};
const bookkeeping = ["id", "version", "createdAt", "updatedAt", "labelColor"];

const types = readFileSync(join(process.cwd(), "js/lib/api-types.ts"), "utf8");

/** The fields of a row as it crosses the wire. */
function fieldsOfRow(row: string): string[] {
  const body = types
    .split(`export type ${row} = {`)[1]!
    .split("};")[0]!
    .replaceAll(/\/\*[^]*?\*\//g, "");
  return [...body.matchAll(/(?:^|[,{])\s*(\w+)\??:/g)].map(([, field]) => field!);
}

test("each module of the trail has a trail.ts", () => {
  assert.deepEqual(new Set(trails.flat().map(({ module }) => module)), new Set(moduleCodes));
});

for (const [area, { row, never = [] }] of Object.entries(records).flatMap(([area, all]) =>
  [all].flat().map((one) => [area, one] as const),
)) {
  test(`the trail has a name for every field of a ${row}`, () => {
    const compared = fieldsOfRow(row).filter((field) => !bookkeeping.includes(field) && !never.includes(field));
    assert.ok(compared.length > 5, `${row} was not read`);
    const named = new Set([...fieldsOf(area as Module).map(({ key }) => key as string), ...Object.keys(titlesOf(area as Module))]);
    assert.deepEqual(
      compared.filter((field) => !named.has(field)),
      [],
    );
  });
}

/** Statuses whose labels differ between records: the trail has one label that is right for each. */
const sharedStatuses = ["approved", "sent"];

test("the trail of the finance area calls every status and kind what its lists call it", () => {
  const statuses = {
    RechargeStatus: rechargeStatusCodes,
    AccountStatus: accountStatusCodes,
    AdjustmentStatus: adjustmentStatusCodes,
    StatementStatus: statementStatusCodes,
    InvoiceStatus: invoiceStatusCodes,
  };
  const kinds = { EntryKind: entryKindCodes, InvoiceKind: invoiceKindCodes };
  for (const messages of [inChinese, inEnglish] as Readonly<Record<string, string>>[]) {
    for (const [labels, codes] of Object.entries(statuses)) {
      for (const code of codes) {
        const word = messages[`finance.status.${code}`];
        if (sharedStatuses.includes(code)) assert.ok(word, code);
        else assert.equal(word, messages[`${labels}.${code}`], `${labels}.${code}`);
      }
    }
    for (const [labels, codes] of Object.entries(kinds)) {
      for (const code of codes) assert.equal(messages[`finance.kind.${code}`], messages[`${labels}.${code}`], `${labels}.${code}`);
    }
  }
});

/** The same for payment records. */
const sharedPayStatuses = ["success", "open", "closed"];

test("the trail of the payment area calls every status and kind what its lists call it", () => {
  const statuses = {
    PayeeChannelStatus: payeeChannelStatusCodes,
    PaymentLinkStatus: paymentLinkStatusCodes,
    OrderStatus: orderStatusCodes,
    RefundStatus: refundStatusCodes,
    ExceptionStatus: exceptionStatusCodes,
    StatementDayStatus: statementDayStatusCodes,
    DifferenceStatus: differenceStatusCodes,
  };
  const kinds = { ExceptionKind: exceptionKindCodes, DifferenceKind: differenceKindCodes };
  for (const messages of [inChinese, inEnglish] as Readonly<Record<string, string>>[]) {
    for (const [labels, codes] of Object.entries(statuses)) {
      for (const code of codes) {
        const word = messages[`payTrail.status.${code}`];
        if (sharedPayStatuses.includes(code)) assert.ok(word, code);
        else assert.equal(word, messages[`${labels}.${code}`], `${labels}.${code}`);
      }
    }
    for (const [labels, codes] of Object.entries(kinds)) {
      for (const code of codes) assert.equal(messages[`payTrail.kind.${code}`], messages[`${labels}.${code}`], `${labels}.${code}`);
    }
  }
});
