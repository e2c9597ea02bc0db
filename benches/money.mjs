// Whether money is neither lost nor doubled, whatever happens: a part of `make stress`.
//
// 32 clients create payment orders, have them paid at a provider in a process of its own, refund them, and recharge by
// hand, while leads are sold from the same accounts. A relay between the nodes and the provider keeps the provider's
// notifications. The clients deliver each three times, at once on several nodes, the payment's after the refund's, or
// never, so that a query must find the payment. Nodes do not trust a notification: they query the provider about it. Refunds
// of one order are requested at once and exceed it together; all decisions of a second person are made in two tabs at once.
// Answers of the provider are lost, fail, are wrongly signed or are refusals. Every five seconds a node is killed, and
// `leadlane ledger verify` must agree. In the end our books are compared with the provider's. The engines run side by side.
// MONEY_SECONDS and MONEY_CLIENTS change how long it takes; MONEY_LOG=1 prints what was refused.

import { execFile, spawn } from "node:child_process";
import { createDecipheriv, createSign, randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import http from "node:http";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { POSTGRES, SQLITE, agent, ask, binary, end, environmentOf, freePort, on, organisation, organisationId, partners, person, plan, ready, row, send, signIn, signed } from "./support.mjs";

const SECONDS = Number(process.env.MONEY_SECONDS ?? process.env.STRESS_SECONDS ?? 60);
const CLIENTS = Number(process.env.MONEY_CLIENTS ?? 32);
/** Clients that offer leads meanwhile. */
const SELLERS = 4;
/** Milliseconds between two kills. */
const PAUSE = 5000;
/** At the end the nodes get `WITHIN` ms to finish. While something is still pending, they are stopped, time passes, and they run
 * again, at most `OUTAGES` times. The first wait is `AT_FIRST`, because unpaid orders are still open. */
const OUTAGES = 8;
const WITHIN = 10_000;
const AT_FIRST = 1000;
const ORGANISATIONS = ["money-0", "money-1", "money-2", "money-3"];
/** Fen that every second organisation may owe. */
const CREDIT = 300_000;
const PRICE = 700;

/** The demo's keys and numbers, as `crates/demo/src/provider.rs` has them. */
const key = (name) => readFileSync(new URL(`../crates/demo/src/keys/${name}.pem`, import.meta.url), "utf8");
const [MERCHANT_KEY, PROVIDER_KEY] = [key("merchant"), key("provider")];
const MCH_NO = "1900000001";
const ALIPAY_APP_ID = "2021000000000001";
const ALIPAY_SELLER_ID = "2088000000000001";
const API_V3_KEY = "demo-api-v3-key-0123456789abcdef";

const run = promisify(execFile);
const wait = (milliseconds) => new Promise((tick) => setTimeout(tick, milliseconds));
const any = (list) => list[Math.floor(Math.random() * list.length)];
const chance = (share) => Math.random() < share;
const below = (most) => Math.floor(Math.random() * most);
const sign = (text, pem) => createSign("RSA-SHA256").update(text).sign(pem, "base64");
const yuan = (cents) => (cents / 100).toFixed(2);
const fen = (text) => Math.round(Number(text) * 100);

const askJson = (port, path, body) => ask(port, "POST", path, JSON.stringify(body), { "content-type": "application/json" });

/** Alipay's fields with their signature: sorted, without those that are empty. */
function alipaySigned(fields, pem, more = {}) {
  const text = Object.keys(fields).sort().filter((name) => fields[name]).map((name) => `${name}=${fields[name]}`).join("&");
  return new URLSearchParams({ ...fields, ...more, sign: sign(text, pem) }).toString();
}

/** A call of WeChat Pay in the merchant's name; its body has no content. */
async function wechatCall(port, path) {
  const [seconds, nonce] = [Math.floor(Date.now() / 1000), randomBytes(16).toString("hex")];
  const signature = sign(`GET\n${path}\n${seconds}\n${nonce}\n\n`, MERCHANT_KEY);
  const authorization = `WECHATPAY2-SHA256-RSA2048 mchid="${MCH_NO}",nonce_str="${nonce}",signature="${signature}",timestamp="${seconds}",serial_no="DEMOMERCHANT01"`;
  const { text } = await ask(port, "GET", path, undefined, { authorization });
  return JSON.parse(text);
}

/** A call of Alipay in the merchant's name. */
async function alipayCall(port, method, content) {
  const body = alipaySigned({ app_id: ALIPAY_APP_ID, method, charset: "utf-8", sign_type: "RSA2", version: "1.0", biz_content: JSON.stringify(content) }, MERCHANT_KEY);
  const { text } = await ask(port, "POST", "/gateway.do", body, { "content-type": "application/x-www-form-urlencoded" });
  return JSON.parse(text)[`${method.replaceAll(".", "_")}_response`];
}

/** Fen that the provider received for an order; undefined if it is not paid. */
async function paidThere(port, kind, no) {
  if (kind === "wechat") {
    const trade = await wechatCall(port, `/v3/pay/transactions/out-trade-no/${no}?mchid=${MCH_NO}`);
    // An order with a refund was paid.
    return ["SUCCESS", "REFUND"].includes(trade.trade_state) ? trade.amount.total : undefined;
  }
  const trade = await alipayCall(port, "alipay.trade.query", { out_trade_no: no });
  // A fully refunded order is closed, as is one that was never paid.
  return trade.send_pay_date && trade.trade_status !== "WAIT_BUYER_PAY" ? fen(trade.total_amount) : undefined;
}

/** Fen that the provider has refunded under a number; 0 if there is no refund. */
async function refundedThere(port, kind, order, no) {
  if (kind === "wechat") {
    const refund = await wechatCall(port, `/v3/refund/domestic/refunds/${no}`);
    return refund.status === "SUCCESS" ? refund.amount.refund : 0;
  }
  const refund = await alipayCall(port, "alipay.trade.fastpay.refund.query", { out_trade_no: order, out_request_no: no });
  return refund.refund_status === "REFUND_SUCCESS" ? fen(refund.refund_amount) : 0;
}

/** The numbers in a notification: its own, the order's, and the refund's if it is about a refund. */
function about(headers, body) {
  if (!headers["wechatpay-signature"]) {
    const form = new URLSearchParams(body);
    return { id: form.get("notify_id"), order: form.get("out_trade_no") };
  }
  const { id, resource } = JSON.parse(body);
  const sealed = Buffer.from(resource.ciphertext, "base64");
  const cipher = createDecipheriv("aes-256-gcm", API_V3_KEY, resource.nonce);
  cipher.setAuthTag(sealed.subarray(-16)).setAAD(Buffer.from(resource.associated_data));
  const content = JSON.parse(Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]).toString());
  return { id, order: content.out_trade_no, refund: content.out_refund_no };
}

/** The kind of provider, the order and the refund of a node's call to the provider. */
function readCall(path, body) {
  if (path !== "/gateway.do") {
    const content = body ? JSON.parse(body) : {};
    return { kind: "wechat", call: path, order: content.out_trade_no, refund: content.out_refund_no };
  }
  const form = new URLSearchParams(body);
  const content = JSON.parse(form.get("biz_content") ?? "{}");
  return { kind: "alipay", call: form.get("method"), order: content.out_trade_no, refund: content.out_request_no };
}

const CHARGES = ["/v3/pay/transactions/native", "alipay.trade.precreate"];
const REFUNDS = ["/v3/refund/domestic/refunds", "alipay.trade.refund"];

/** A server between the nodes and the provider. It passes calls of the nodes on and records their orders and refunds; it keeps
 * notifications of the provider without passing them on. */
async function startRelay(provider) {
  const relay = {
    /** The kind of provider of each order that was created there. */
    charges: new Map(),
    /** The refunds that were requested there, by number. */
    refunds: new Map(),
    /** The notifications of each order. */
    notices: new Map(),
    /** The share of answers that is lost. */
    loses: 0.1,
    lost: 0,
  };
  const pass = async (request, answer, body) => {
    const { kind, call, order, refund } = readCall(request.url, body);
    if (CHARGES.includes(call)) relay.charges.set(order, kind);
    const isRefund = REFUNDS.includes(call);
    if (isRefund && !relay.refunds.has(refund)) relay.refunds.set(refund, { kind, order, isMade: false });
    const { status, headers, text } = await ask(provider, request.method, request.url, body, request.headers);
    if (isRefund && status === 200 && (kind === "wechat" || text.includes('"code":"10000"'))) relay.refunds.get(refund).isMade = true;
    if (chance(relay.loses)) {
      relay.lost++;
      return answer.socket?.destroy();
    }
    delete headers["transfer-encoding"];
    return answer.writeHead(status, headers).end(text);
  };
  const server = http.createServer((request, answer) => {
    const pieces = [];
    answer.on("error", () => {});
    request.on("error", () => {});
    request.on("data", (piece) => pieces.push(piece)).on("end", () => {
      const body = Buffer.concat(pieces).toString();
      if (request.url !== "/api/open/pay/notify") return pass(request, answer, body).catch(() => answer.socket?.destroy());
      const names = Object.keys(request.headers).filter((name) => name.startsWith("wechatpay-") || name === "content-type");
      const notice = { ...about(request.headers, body), headers: Object.fromEntries(names.map((name) => [name, request.headers[name]])), body };
      relay.notices.set(notice.order, [...(relay.notices.get(notice.order) ?? []), notice]);
      return answer.end("success");
    });
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  relay.base = `http://127.0.0.1:${server.address().port}`;
  relay.close = () => {
    server.closeAllConnections();
    server.close();
  };
  return relay;
}

/** Alipay's notification of a refund, which the demo's provider does not send. */
function alipayRefundNotice(order, refund, paidCents, cents) {
  const id = randomBytes(17).toString("hex");
  const fields = {
    app_id: ALIPAY_APP_ID, charset: "utf-8", notify_id: id, notify_type: "trade_status_sync", out_trade_no: order, out_biz_no: refund, seller_id: ALIPAY_SELLER_ID,
    trade_no: `5030${refund}`, trade_status: "TRADE_SUCCESS", total_amount: yuan(paidCents), refund_fee: yuan(cents), version: "1.0",
  };
  return { id, order, refund, headers: { "content-type": "application/x-www-form-urlencoded; charset=utf-8" }, body: alipaySigned(fields, PROVIDER_KEY, { sign_type: "RSA2" }) };
}

function filling(base) {
  return [
    "UPDATE plan SET status = 'ended'",
    "UPDATE channel SET dedup_days = 0",
    ...ORGANISATIONS.map((code, i) => organisation(code, i % 2 === 0 ? 0 : CREDIT)),
    ...ORGANISATIONS.map((code) => `INSERT INTO org_account (org_id, status, created_at, updated_at) VALUES (${organisationId(code)}, 'normal', 0, 0)`),
    ...ORGANISATIONS.map((code, i) => plan(`MONEY${i}`, code, { mode: "crm", buyers: 3, price: PRICE + i })),
    `UPDATE payee_channel SET gateway_url = '${base}', day_cap_cents = NULL WHERE provider = 'wechat'`,
    `UPDATE payee_channel SET gateway_url = '${base}/gateway.do', day_cap_cents = NULL WHERE provider = 'alipay'`,
  ].map((statement) => `${statement};`);
}

const OURS = "IN (SELECT id FROM organisation WHERE code LIKE 'money-%')";
const PAID = "('success', 'part_refunded', 'refunded')";
const LIVE = "('queued','sending','retrying','unconfirmed','accepted')";
const sum = (what) => `(SELECT COALESCE(SUM(${what}), 0) FROM `;

/** Faults, which must not exist: each with the statement that counts them. */
const FAULTS = {
  "orders whose payment is not known": `SELECT COUNT(*) FROM payment_order p WHERE p.org_id ${OURS} AND p.status IN ('created', 'paying')`,
  "refunds whose end is not known": `SELECT COUNT(*) FROM payment_refund f JOIN payment_order p ON p.id = f.payment_order_id WHERE p.org_id ${OURS} AND f.status = 'processing'`,
  "notifications that were not worked on": "SELECT COUNT(*) FROM payment_notice WHERE state = 'new'",
  "exceptions that are not settled": `SELECT COUNT(*) FROM payment_exception x JOIN payment_order p ON p.id = x.payment_order_id WHERE p.org_id ${OURS} AND x.status = 'open'`,
  "orders whose recharge is not there exactly once": `SELECT COUNT(*) FROM payment_order p WHERE p.org_id ${OURS}
    AND (SELECT COUNT(*) FROM recharge r WHERE r.payment_order_id = p.id AND r.status = 'credited' AND r.amount_cents = p.paid_cents)
      <> CASE WHEN p.biz_type = 'recharge' AND p.status IN ${PAID} THEN 1 ELSE 0 END`,
  "recharges whose entries are not there exactly once": `SELECT COUNT(*) FROM (SELECT r.id FROM recharge r LEFT JOIN account_ledger l ON l.ref_type = 'recharge' AND l.ref_id = r.id
    WHERE r.org_id ${OURS} GROUP BY r.id, r.status, r.amount_cents, r.gift_cents
    HAVING COUNT(l.id) <> CASE r.status WHEN 'credited' THEN 1 WHEN 'reversed' THEN 2 ELSE 0 END * CASE WHEN r.gift_cents > 0 THEN 2 ELSE 1 END
      OR COALESCE(SUM(l.amount_cents), 0) <> CASE r.status WHEN 'credited' THEN r.amount_cents + r.gift_cents ELSE 0 END) AS found`,
  "refunds whose entries are not there exactly once": `SELECT COUNT(*) FROM (SELECT f.id FROM payment_refund f JOIN payment_order p ON p.id = f.payment_order_id
    LEFT JOIN account_ledger l ON l.ref_type = 'payment_refund' AND l.ref_id = f.id WHERE p.org_id ${OURS} GROUP BY f.id, f.status, f.amount_cents, p.biz_type
    HAVING COUNT(l.id) <> CASE WHEN p.biz_type <> 'recharge' THEN 0 WHEN f.status IN ('processing', 'success') THEN 1 WHEN f.status = 'failed' THEN 2 ELSE 0 END
      OR COALESCE(SUM(l.amount_cents), 0) <> CASE WHEN p.biz_type = 'recharge' AND f.status IN ('processing', 'success') THEN -f.amount_cents ELSE 0 END) AS found`,
  "service fees whose money of the clue is not there exactly once": `SELECT COUNT(*) FROM payment_order p WHERE p.org_id ${OURS} AND p.clue_id IS NOT NULL
    AND (SELECT COUNT(*) FROM money_record m WHERE m.clue_id = p.clue_id AND m.type = 'service' AND m.remark = p.no AND m.amount_cents = p.paid_cents)
      <> CASE WHEN p.status IN ${PAID} THEN 1 ELSE 0 END`,
  "their refunds, likewise": `SELECT COUNT(*) FROM payment_refund f JOIN payment_order p ON p.id = f.payment_order_id WHERE p.org_id ${OURS} AND p.clue_id IS NOT NULL
    AND (SELECT COUNT(*) FROM money_record m WHERE m.clue_id = p.clue_id AND m.type = 'refund' AND m.remark = f.no AND m.amount_cents = f.amount_cents)
      <> CASE WHEN f.status = 'success' THEN 1 ELSE 0 END`,
  "orders that count their refunds otherwise": `SELECT COUNT(*) FROM payment_order p WHERE p.org_id ${OURS}
    AND (p.refunding_cents <> ${sum("f.amount_cents")} payment_refund f WHERE f.payment_order_id = p.id AND f.status IN ('pending', 'processing', 'success'))
      OR p.refunded_cents <> ${sum("f.amount_cents")} payment_refund f WHERE f.payment_order_id = p.id AND f.status = 'success'))`,
  "orders refunded above what was paid": `SELECT COUNT(*) FROM payment_order p WHERE p.org_id ${OURS} AND p.refunding_cents > COALESCE(p.paid_cents, 0)`,
  "orders whose status is not that of their refunds": `SELECT COUNT(*) FROM payment_order p WHERE p.org_id ${OURS} AND p.status IN ${PAID}
    AND p.status <> CASE p.refunded_cents WHEN 0 THEN 'success' WHEN p.paid_cents THEN 'refunded' ELSE 'part_refunded' END`,
  "days of channels that count their orders otherwise": `SELECT COUNT(*) FROM payee_channel c WHERE ${sum("d.cents")} payee_channel_day d WHERE d.payee_channel_id = c.id)
    <> ${sum("p.amount_cents")} payment_order p WHERE p.payee_channel_id = c.id AND p.status IN ('created', 'paying', 'success', 'part_refunded', 'refunded'))`,
  "balances that are not the sum of their entries": `SELECT COUNT(*) FROM org_account a WHERE a.balance_cents <> ${sum("l.amount_cents")} account_ledger l WHERE l.account_id = a.id)`,
  "accounts that their counter accounts do not balance": `SELECT COUNT(*) FROM org_account a
    WHERE a.balance_cents <> a.total_recharge_cents + a.total_gift_cents - a.total_spend_cents + a.total_adjust_cents`,
  "balances that are not payments less refunds and leads": `SELECT COUNT(*) FROM org_account a WHERE a.org_id ${OURS} AND a.balance_cents
    <> ${sum("p.paid_cents")} payment_order p WHERE p.org_id = a.org_id AND p.biz_type = 'recharge' AND p.status IN ${PAID})
      - ${sum("f.amount_cents")} payment_refund f JOIN payment_order p ON p.id = f.payment_order_id WHERE p.org_id = a.org_id AND p.biz_type = 'recharge' AND f.status IN ('processing', 'success'))
      + ${sum("r.amount_cents")} recharge r WHERE r.org_id = a.org_id AND r.status = 'credited' AND r.payment_order_id IS NULL)
      + ${sum("r.gift_cents")} recharge r WHERE r.org_id = a.org_id AND r.status = 'credited')
      - ${sum("h.price_cents")} push_record h WHERE h.org_id = a.org_id AND h.status = 'accepted')`,
  "accounts past their credit": `SELECT COUNT(*) FROM org_account a JOIN organisation o ON o.id = a.org_id WHERE a.org_id ${OURS} AND a.balance_cents - a.frozen_cents < -o.credit_limit_cents`,
  "leads accepted and not paid once": `SELECT COUNT(*) FROM push_record h WHERE h.org_id ${OURS} AND h.status = 'accepted'
    AND (SELECT COUNT(*) FROM account_ledger l WHERE l.ref_type = 'push_record' AND l.ref_id = h.id AND l.amount_cents = -h.price_cents) <> 1`,
  "leads paid and not accepted": `SELECT COUNT(*) FROM account_ledger l JOIN push_record h ON h.id = l.ref_id AND l.ref_type = 'push_record' WHERE h.org_id ${OURS} AND h.status <> 'accepted'`,
  "leads sold twice to one organisation": `SELECT COUNT(*) FROM (SELECT org_id, phone_hash FROM push_record h WHERE h.org_id ${OURS} AND status IN ${LIVE} GROUP BY org_id, phone_hash HAVING COUNT(*) > 1) AS found`,
  "fen held for leads that are not on their way": `SELECT COALESCE(SUM(a.frozen_cents), 0) FROM org_account a WHERE a.org_id ${OURS}
    AND NOT EXISTS (SELECT 1 FROM push_record h WHERE h.org_id = a.org_id AND h.status IN ('queued','sending','retrying','unconfirmed'))`,
};
/** Records that nodes have acknowledged, with the statement that lists them. */
const ACKNOWLEDGED = {
  orders: "SELECT no FROM payment_order",
  "confirmed orders": `SELECT no FROM payment_order WHERE status IN ${PAID}`,
  refunds: "SELECT no FROM payment_refund",
  "approved refunds": "SELECT no FROM payment_refund WHERE status IN ('success', 'failed')",
  "credited recharges": "SELECT no FROM recharge WHERE status IN ('credited', 'reversed')",
};
/** Counts the payments, refunds, notifications and leads that are not finished. */
const PENDING = `SELECT (SELECT COUNT(*) FROM payment_order WHERE org_id ${OURS} AND status IN ('created', 'paying'))
  + (SELECT COUNT(*) FROM payment_refund WHERE status = 'processing') + (SELECT COUNT(*) FROM payment_notice WHERE state = 'new')
  + (SELECT COUNT(*) FROM payment_exception x JOIN payment_order p ON p.id = x.payment_order_id WHERE p.org_id ${OURS} AND x.status = 'open')
  + (SELECT COUNT(*) FROM push_record WHERE org_id ${OURS} AND status IN ('queued', 'sending', 'retrying'))
  + (SELECT COUNT(*) FROM applicant WHERE status = 'matching' OR begun > 0)`;
/** Lists what is pending, to inspect a run. */
const OPEN = `SELECT 'order', no, status, tries, COALESCE(error, '') || ' due ' || COALESCE(due_at - %NOW%, 0) || ' leased ' || COALESCE(leased_until - %NOW%, 0) || ' expires ' || (expires_at - %NOW%) FROM payment_order WHERE org_id ${OURS} AND status IN ('created', 'paying')
  UNION ALL SELECT 'refund', no, status, tries, COALESCE(error, '') FROM payment_refund WHERE status = 'processing'
  UNION ALL SELECT 'notice', order_no, state, tries, '' FROM payment_notice WHERE state = 'new'
  UNION ALL SELECT 'exception', order_no, kind, 0, '' FROM payment_exception WHERE status = 'open'
  UNION ALL SELECT 'lead', no, status, 0, '' FROM push_record WHERE org_id ${OURS} AND status IN ('queued', 'sending', 'retrying')
  UNION ALL SELECT 'applicant', no, status, 0, '' FROM applicant WHERE status = 'matching' OR begun > 0`;
/** Time passes while no node runs: orders expire, and everything is due. */
const pass = (now) => [
  `UPDATE payment_order SET expires_at = ${now}, due_at = ${now}, leased_until = NULL WHERE org_id ${OURS} AND status IN ('created', 'paying');`,
  `UPDATE payment_refund SET due_at = ${now}, leased_until = NULL WHERE status = 'processing';`,
  "UPDATE payment_notice SET due_at = 0 WHERE state = 'new';",
  "UPDATE outbox_item SET due_at = due_at - 600000 WHERE kind = 'delivery' AND due_at IS NOT NULL;",
  "UPDATE applicant SET due_at = due_at - 1800000 WHERE due_at IS NOT NULL;",
];

const lines = (database, sql) => database.ask(sql).split("\n").filter(Boolean).map((line) => line.split(" "));

/** Compares the provider's books with Leadlane's. */
async function compare(port, relay, database) {
  const orders = new Map(lines(database, `SELECT no || ' ' || status || ' ' || COALESCE(paid_cents, 0) || ' ' || refunded_cents FROM payment_order`).map(([no, status, paid, refunded]) => [no, { isPaid: PAID.includes(`'${status}'`), paid: Number(paid), refunded: Number(refunded) }]));
  const exceptions = new Set(lines(database, "SELECT order_no || ' ' || amount_cents FROM payment_exception WHERE kind <> 'refund'").map((fields) => fields.join(" ")));
  const refunds = new Map(lines(database, "SELECT no || ' ' || status || ' ' || amount_cents FROM payment_refund").map(([no, status, cents]) => [no, { status, cents: Number(cents) }]));
  const books = new Map();
  for (const [no, kind] of relay.charges) books.set(no, { paid: await paidThere(port, kind, no), refunded: 0 });
  let [unlike, invented] = [0, 0];
  for (const [no, { kind, order }] of relay.refunds) {
    const cents = await refundedThere(port, kind, order, no);
    books.get(order).refunded += cents;
    const ours = refunds.get(no);
    if (cents !== (ours?.status === "success" ? ours.cents : 0)) unlike++;
  }
  let [unknown, otherwise, refundedOtherwise] = [0, 0, 0];
  const total = { paid: 0, refunded: 0, excepted: 0 };
  for (const [no, { paid, refunded }] of books) {
    const ours = orders.get(no);
    if (paid !== undefined && !ours?.isPaid) {
      if (exceptions.has(`${no} ${paid}`)) total.excepted += paid;
      else unknown++;
    }
    if (paid === undefined && ours?.isPaid) invented++;
    if (paid !== undefined && ours?.isPaid && ours.paid !== paid) otherwise++;
    if (refunded !== (ours?.refunded ?? 0)) refundedOtherwise++;
    total.paid += paid ?? 0;
    total.refunded += refunded;
  }
  const online = lines(database, `SELECT p.no || ' ' || p.status FROM payment_order p JOIN payee_channel c ON c.id = p.payee_channel_id WHERE c.provider IN ('wechat', 'alipay') AND p.org_id ${OURS} AND p.status IN ${PAID}`);
  invented += online.filter(([no]) => !books.has(no)).length;
  row("fen paid, refunded and left to exceptions at the provider", `${total.paid}, ${total.refunded}, ${total.excepted}`);
  return {
    "paid at the provider, neither here nor an exception": unknown,
    "paid here and not at the provider": invented,
    "paid here with another amount": otherwise,
    "orders refunded otherwise than at the provider": refundedOtherwise,
    "refunds that ended otherwise at the provider": unlike,
  };
}

async function race(engine, processes) {
  let found = 0;
  const provider = await freePort();
  const ownVariables = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("LEADLANE_")));
  const there = spawn(binary, ["demo-provider", "--listen", `127.0.0.1:${provider}`], { env: ownVariables, stdio: ["ignore", "pipe", "inherit"] });
  await once(there.stdout, "data");
  const relay = await startRelay(provider);
  const running = [];
  try {
    await on(engine, async ({ database, run: runOnce, env }) => {
      runOnce("demo", "--days", "0", "--users", "0");
      database.run(filling(relay.base));
      const orgs = database.ask("SELECT id FROM organisation WHERE code LIKE 'money-%' ORDER BY id").split("\n").map(Number);
      const payee = Number(database.ask("SELECT MIN(id) FROM payee_organisation WHERE status = 'enabled'"));
      const [wechat, alipay, bank] = ["WX-MAIN", "ALI-MAIN", "BANK-CMB"].map((code) => Number(database.ask(`SELECT id FROM payee_channel WHERE code = '${code}'`)));

      let over = false;
      const start = async (slot) => {
        const port = await freePort();
        const child = spawn(binary, ["serve"], { env: { ...env, ...environmentOf(port) }, stdio: ["ignore", "ignore", process.env.MONEY_LOG ? "inherit" : "ignore"] });
        running[slot] = { port, child };
        await ready(port, child);
      };
      for (let slot = 0; slot < processes; slot++) await start(slot);

      const done = { created: 0, "for a clue": 0, paid: 0, "of another amount": 0, cancelled: 0, "confirmed by staff": 0, recharged: 0, reversed: 0, "refunds asked for": 0, "refunds approved": 0, settled: 0, "leads offered": 0 };
      const notices = { delivered: 0, lost: 0, refused: 0 };
      /** Numbers of notifications that a node has accepted. */
      const taken = new Set();
      const acknowledged = Object.fromEntries(Object.keys(ACKNOWLEDGED).map((what) => [what, new Set()]));
      const refusals = new Map();
      const note = ({ message }) => {
        const text = message.replace(/,"data".*/, "").replace(/\d[\d.,-]*/g, "…").slice(0, 200);
        refusals.set(text, (refusals.get(text) ?? 0) + 1);
      };

      const staff = Object.fromEntries(await Promise.all(["admin", "operator", "finance"].map(async (name) => [name, await signIn(running[0].port, name)])));
      const changes = Object.entries({ "pay.site_url": relay.base, "security.reads_minute": 1_000_000, "security.partner_second": 100_000 }).map(([key, value]) => ({ key, value, version: 0 }));
      await send(running[0].port, "PUT", "/api/setting", JSON.stringify({ changes }), staff.admin);
      const channels = await partners(running[0].port, staff.admin, 3);
      /** A call by a member of the staff on a node, any node if none is named; undefined if it was refused or cut off. */
      const call = (name, method, path, body, slot = below(processes)) =>
        send(running[slot].port, method, `/api${path}`, body && JSON.stringify(body), staff[name]).then(
          ({ data }) => data,
          async (error) => {
            note(error);
            await wait(50);
          },
        );
      /** The same call in two tabs at once, on two nodes where there are two; the answers that were not refused. */
      const twice = async (name, method, path, body, other = body) =>
        (await Promise.all([call(name, method, path, body, 0), call(name, method, path, other, processes - 1)])).filter(Boolean);

      const deliver = async (notice, slot) => {
        const answer = await ask(running[slot].port, "POST", "/api/open/pay/notify", notice.body, notice.headers).catch(() => undefined);
        if (!answer || answer.status >= 500) return false;
        if (answer.status === 200 && /success/i.test(answer.text)) {
          notices.delivered++;
          taken.add(notice.id);
          return true;
        }
        notices.refused++;
        note(new Error(`a notification was answered ${answer.status} ${answer.text.slice(0, 100)}`));
        return false;
      };
      const deliverThrice = (notice) => Promise.all([0, 1, 2].map((time) => deliver(notice, time % processes)));
      /** Delivers a notification until a node accepts it. */
      const insist = async (notice) => {
        for (let tries = 0; tries < 100 && !(await deliver(notice, below(processes))); tries++) await wait(100);
      };
      const scan = (no) => ask(provider, "POST", `/scan/${no}`).then(({ text }) => text.includes("SUCCESS"));
      const read = (id) => call("operator", "GET", `/payOrder/${id}`);

      /** A refund of an order: requested, decided on in two tabs at once, and notified three times where a provider made it. */
      const refund = async (order, cents) => {
        const row = await call("operator", "POST", "/payRefund", { paymentOrderId: order.id, amountCents: cents, reason: "stress" });
        if (!row) return;
        done["refunds asked for"]++;
        acknowledged.refunds.add(row.no);
        // Staff make refunds where no provider does, and enter the bank's number.
        const byHand = relay.charges.has(order.no) ? {} : { channelRefundNo: row.no };
        const decision = { id: row.id, version: row.version, approve: true, anotherPayment: true, ...byHand };
        const otherwise = { ...decision, approve: false, note: "stress" };
        const [approved] = await Promise.all([
          twice("finance", "PUT", "/payRefund/audit", decision, chance(0.15) ? otherwise : decision),
          chance(0.15) && call("operator", "PUT", "/payRefund/withdraw", { id: row.id, version: row.version }),
        ]);
        if (approved.some(({ status }) => ["processing", "success"].includes(status))) {
          done["refunds approved"]++;
          acknowledged["approved refunds"].add(row.no);
        }
        const kind = relay.charges.get(order.no);
        if (!kind) return;
        for (let tries = 0; tries < 30 && !over && !relay.refunds.get(row.no)?.isMade; tries++) await wait(100);
        if (!relay.refunds.get(row.no)?.isMade) return;
        if (kind === "alipay") return void (await deliverThrice(alipayRefundNotice(order.no, row.no, order.paidCents, cents)));
        await askJson(provider, "/control/refund", { no: order.no, refundNo: row.no, cents });
        const notice = relay.notices.get(order.no)?.find((one) => one.refund === row.no);
        if (notice) await deliverThrice(notice);
      };

      const refundSome = async (order) => {
        const paid = order.paidCents;
        const part = 1 + below(paid);
        await any([
          () => {},
          () => refund(order, part),
          () => refund(order, paid),
          // Together they exceed the payment.
          () => Promise.all([refund(order, Math.ceil(paid * 0.6)), refund(order, Math.ceil(paid * 0.6))]),
          () => Promise.all([refund(order, paid), refund(order, paid), refund(order, part)]),
          () => Promise.all([refund(order, Math.ceil(paid / 3)), refund(order, Math.ceil(paid / 3))]),
        ])();
      };

      const create = async (payeeChannelId) => {
        const [orgId, bizType] = [any(orgs), any(["recharge", "recharge", "recharge", "recharge", "service_fee", "other"])];
        const clues = bizType === "service_fee" ? (await call("admin", "POST", "/crm/pushPage", { orgId, pageSize: 20 }))?.list ?? [] : [];
        const of = bizType !== "service_fee" ? { bizType } : clues.length > 0 ? { bizType, clueNo: any(clues).no } : { bizType: "recharge" };
        const form = { orgId, payeeChannelId, ...of, subject: "stress", amountCents: 100 + below(50_000), minutes: 30, remark: "" };
        const order = await call("operator", "POST", "/payOrder", form);
        if (order) {
          done.created++;
          if (order.clueNo) done["for a clue"]++;
          acknowledged.orders.add(order.no);
        }
        return order;
      };

      /** An order by WeChat Pay or Alipay. */
      const online = async () => {
        const order = await create(chance(0.5) ? wechat : alipay);
        if (!order) return;
        for (let tries = 0; tries < 4 && !relay.charges.has(order.no); tries++) {
          await ask(running[below(processes)].port, "POST", `/pay/${order.token}`).catch(() => wait(100));
        }
        // Some are never paid: they expire.
        if (chance(0.05)) return;
        if (chance(0.05)) {
          const { status } = await askJson(provider, "/control/pay", { no: order.no, cents: order.amountCents - 1, notices: 1 });
          if (status === 204) done["of another amount"]++;
        } else if (chance(0.1)) {
          const current = await read(order.id);
          const cancel = current && call("operator", "PUT", "/payOrder/status", { id: order.id, version: current.version, status: "cancelled" });
          const [cancelled] = await Promise.all([cancel, wait(below(60)).then(() => scan(order.no))]);
          if (cancelled) done.cancelled++;
          // Once an order has ended the provider is not queried any more: the notification must arrive.
          return void (await Promise.all((relay.notices.get(order.no) ?? []).map((notice) => insist(notice).then(() => deliverThrice(notice)))));
        } else if (await scan(order.no)) {
          done.paid++;
        }
        // The provider notifies twice under two numbers.
        if (chance(0.2) && relay.notices.get(order.no)?.length === 1) await askJson(provider, "/control/pay", { no: order.no, notices: 1, ...(await amountOf(order.no)) });
        const reports = [...(relay.notices.get(order.no) ?? [])];
        if (reports.length === 0) return;
        const isLost = chance(0.3);
        if (isLost) notices.lost += reports.length;
        else await Promise.all(reports.reverse().flatMap((notice) => [deliver(notice, 0), deliver(notice, processes - 1)]));
        let current;
        for (let tries = 0; tries < 25 && !over; tries++) {
          current = await read(order.id);
          if (current?.paidCents) break;
          if (isLost && current && chance(0.2)) await call("operator", "PUT", "/payOrder/query", { id: order.id, version: current.version });
          await wait(200);
        }
        if (current?.paidCents) await refundSome(current);
        // After the refund's: the third time, or what was lost until now.
        if (!isLost || chance(0.5)) await Promise.all(reports.map((notice) => deliver(notice, below(processes))));
      };
      /** The amount that the provider received, so that a second notification has the same. */
      const amountOf = async (no) => ({ cents: await paidThere(provider, relay.charges.get(no), no).catch(() => undefined) });

      /** An order by bank, which one person enters as paid and another confirms. */
      const byBank = async () => {
        const order = await create(bank);
        if (!order) return;
        const claim = { id: order.id, version: order.version, channelOrderNo: `B${order.no}`, paidAt: Date.now() - 1000 };
        const [claimed] = await twice("operator", "PUT", "/payOrder/claim", claim);
        if (!claimed) return;
        const confirmed = await twice("finance", "PUT", "/payOrder/confirm", { id: order.id, version: claimed.version, approve: true, anotherPayment: true });
        if (confirmed.length === 0) return;
        done["confirmed by staff"]++;
        acknowledged["confirmed orders"].add(order.no);
        await refundSome(confirmed[0]);
      };

      /** Counts the bank transfers of recharges. */
      let entered = 0;
      /** A recharge that one person enters and another confirms in two tabs at once; some are reversed. */
      const byHand = async () => {
        const form = { orgId: any(orgs), payeeOrgId: payee, amountCents: 100 + below(30_000), giftCents: chance(0.3) ? 1 + below(2000) : 0, payMethod: "bank", bankSerial: `H${++entered}`, remark: "" };
        const row = await call("admin", "POST", "/finance/recharge", form);
        if (!row) return;
        const decision = { id: row.id, version: row.version, approve: true, anotherPayment: true };
        const [credited] = await twice("finance", "PUT", "/finance/recharge/audit", decision, chance(0.1) ? { ...decision, approve: false, note: "stress" } : decision);
        if (credited?.status !== "credited") return;
        done.recharged++;
        acknowledged["credited recharges"].add(row.no);
        if (!chance(0.3)) return;
        const [reversal] = await twice("finance", "PUT", "/finance/recharge/reverse", { id: row.id, version: credited.version, note: "stress" });
        const reversed = reversal && (await twice("admin", "PUT", "/finance/recharge/audit", { id: row.id, version: reversal.version, approve: true }));
        if (reversed?.some(({ status }) => status === "reversed")) done.reversed++;
      };

      /** Settles exceptions in two tabs at once, with different results; also payments that were entered and not confirmed and, in
       * the end, refunds that have no decision because a node was killed. */
      const settle = async () => {
        for (const { id, version } of (await call("finance", "POST", "/payOrder/page", { awaits: "decision", pageSize: 50 }))?.list ?? []) {
          await twice("finance", "PUT", "/payOrder/confirm", { id, version, approve: true, anotherPayment: true }, { id, version, approve: chance(0.5), note: "stress", anotherPayment: true });
        }
        for (const { id, version, orgId, no, provider } of (over && (await call("finance", "POST", "/payRefund/page", { status: "pending", pageSize: 50 }))?.list) || []) {
          const byHand = ["wechat", "alipay"].includes(provider) ? {} : { channelRefundNo: no };
          const decision = { id, version, approve: true, note: "stress", anotherPayment: true, ...byHand };
          if (orgs.includes(orgId)) await twice("finance", "PUT", "/payRefund/audit", decision, { ...decision, approve: chance(0.5) });
        }
        for (const { id, version, orgName, decision } of (await call("finance", "POST", "/payException/page", { status: "open", pageSize: 50 }))?.list ?? []) {
          // The others are the demo's.
          if (!orgName?.startsWith("bench money-")) continue;
          const settlement = { id, version, resolution: "accepted", note: "stress" };
          const another = { ...settlement, resolution: chance(0.5) ? "accepted" : "handled" };
          const [settled] = decision ? [{ status: "open", version }] : await twice("finance", "PUT", "/payException/settle", settlement, another);
          if (settled?.status === "open") {
            const requested = { id, version: settled.version };
            const decided = await twice("admin", "PUT", "/payException/audit", { ...requested, approve: true }, { ...requested, approve: chance(0.5), note: "stress" });
            // The order cannot accept it any more: it is settled as handled outside at the next turn.
            if (decided.length === 0) await call("finance", "PUT", "/payException/withdraw", requested);
          }
          if (settled) done.settled++;
          else await call("finance", "PUT", "/payException/settle", { ...settlement, resolution: "handled" });
        }
      };

      let offered = 0;
      const until = (work, pause = 0) => async () => {
        while (!over) {
          await work();
          if (pause) await wait(pause);
        }
      };
      const seller = until(async () => {
        const number = offered++;
        for (let tries = 0; tries < 4; tries++) {
          const isTaken = await signed(running[(number + tries) % processes].port, "/open/user", any(channels), person(number)).then(() => true, () => wait(150));
          if (isTaken) break;
        }
      }, 100);
      const client = until(() => any([online, online, online, online, byBank, byHand, byHand])().catch(note));
      /** Makes the provider fail in different ways in turn. */
      const faulty = async () => {
        for (let turn = 0; !over; turn++) {
          await askJson(provider, "/control", [{}, { fail: true }, {}, { wrongSignature: true }, {}, { refuseRefunds: true }][turn % 6]);
          await wait(turn % 2 === 0 ? 2000 : 700);
        }
        await askJson(provider, "/control", {});
      };
      const clients = [...Array.from({ length: CLIENTS }, client), ...Array.from({ length: SELLERS }, seller), faulty(), until(settle, 500)()];

      const disagreements = [];
      const verify = () => run(binary, ["ledger", "verify"], { env }).then(({ stdout }) => stdout.trim(), ({ stdout, stderr }) => void disagreements.push(`${stdout}${stderr}`.trim()));
      let kills = 0;
      const began = Date.now();
      for (let due = began + PAUSE; due <= began + SECONDS * 1000; due = Math.max(due + PAUSE, Date.now())) {
        await wait(due - Date.now());
        const slot = kills++ % processes;
        await end(running[slot].child, "SIGKILL");
        await verify();
        await start(slot);
      }
      await wait(began + SECONDS * 1000 - Date.now());
      over = true;
      await Promise.all(clients);
      relay.loses = 0;
      done["leads offered"] = offered;

      const count = (sql) => Number(database.ask(sql));
      let outages = 0;
      for (; ; outages++) {
        for (const since = Date.now(); count(PENDING) > 0 && Date.now() - since < (outages === 0 ? AT_FIRST : WITHIN); await wait(200)) await settle();
        if (count(PENDING) === 0 || outages === OUTAGES) break;
        await Promise.all(running.map((node) => end(node.child)));
        if (process.env.MONEY_LOG) console.log(`${new Date().toISOString()} pending before outage ${outages + 1}:\n${database.ask(OPEN.replaceAll('%NOW%', Date.now()))}`);
        database.run(pass(Date.now()));
        for (let slot = 0; slot < processes; slot++) await start(slot);
      }
      await Promise.all(running.map((node) => end(node.child)));
      const last = await verify();

      console.log(`${engine.name}: kill ${kills}; ${Object.entries(done).map(([name, times]) => `${name} ${times}`).join(", ")}`);
      if (process.env.MONEY_LOG) console.log([...refusals].sort((a, b) => b[1] - a[1]).map(([text, times]) => `${times} ${text}`).join("\n"));
      row("notifications delivered, lost", `${notices.delivered}, ${notices.lost}`);
      row("answers of the provider lost, outages until all had ended", `${relay.lost}, ${outages}`);
      row("orders paid by a notification that a query confirmed, a query and staff", ["confirmed", "query", "staff"].map((by) => count(`SELECT COUNT(*) FROM payment_order WHERE org_id ${OURS} AND known_by = '${by}'`)).join(", "));
      row("refunds made, failed, rejected, withdrawn, left pending", ["success", "failed", "rejected", "withdrawn", "pending"].map((status) => count(`SELECT COUNT(*) FROM payment_refund f JOIN payment_order p ON p.id = f.payment_order_id WHERE p.org_id ${OURS} AND f.status = '${status}'`)).join(", "));
      row("payment exceptions, leads bought", `${count(`SELECT COUNT(*) FROM payment_exception x JOIN payment_order p ON p.id = x.payment_order_id WHERE p.org_id ${OURS}`)}, ${count(`SELECT COUNT(*) FROM push_record WHERE org_id ${OURS} AND status = 'accepted'`)}`);
      const kept = new Set(database.ask("SELECT notice_no FROM payment_notice").split("\n"));
      const absent = Object.entries(ACKNOWLEDGED).map(([what, sql]) => {
        const there = new Set(database.ask(sql).split("\n"));
        return [`${what} acknowledged and not there`, [...acknowledged[what]].filter((no) => !there.has(no)).length];
      });
      const faults = {
        ...Object.fromEntries(Object.entries(FAULTS).map(([name, sql]) => [name, count(sql)])),
        ...(await compare(provider, relay, database)),
        "notifications refused": notices.refused,
        "notifications acknowledged and not there": [...taken].filter((id) => !kept.has(id)).length,
        ...Object.fromEntries(absent),
        "kills after which leadlane ledger verify disagreed": disagreements.length,
        "kinds of work that were never done": ["paid", "confirmed by staff", "recharged", "refunds approved", "leads offered"].filter((what) => done[what] === 0).length,
      };
      for (const [name, number] of Object.entries(faults)) {
        found += number;
        row(name, number);
      }
      row("leadlane ledger verify", last ?? "disagrees");
      if (disagreements.length > 0) console.log(disagreements.join("\n"));
    });
  } finally {
    for (const { child } of running) child.kill("SIGKILL");
    there.kill();
    relay.close();
  }
  return found;
}

/** Runs an engine in a process of its own; returns its output and whether its books agree. */
function apart(name) {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url)], { env: { ...process.env, STRESS_ENGINES: name }, stdio: ["ignore", "pipe", "inherit"] });
  const pieces = [];
  child.stdout.on("data", (piece) => pieces.push(piece));
  return new Promise((done) => child.once("close", (code) => done({ text: Buffer.concat(pieces).toString(), agrees: code === 0 })));
}

const ENGINES = { sqlite: () => race(SQLITE, 1), postgres: () => race(POSTGRES, 2) };
const engines = (process.env.STRESS_ENGINES ?? "sqlite,postgres").split(",").filter((name) => name !== "postgres" || process.env.LEADLANE_TEST_POSTGRES_URL);
if (engines.length === 0) throw new Error("LEADLANE_TEST_POSTGRES_URL names no server");
if (engines.length === 1) {
  const found = await ENGINES[engines[0]]();
  console.log(found === 0 ? "not guilty: no fen was lost or doubled" : `guilty: ${found} faults`);
  process.exitCode = found === 0 ? 0 : 1;
} else {
  for (const ended of engines.map(apart)) {
    const { text, agrees } = await ended;
    console.log(`\n${text.trimEnd()}`);
    if (!agrees) process.exitCode = 1;
  }
}
agent.destroy();
