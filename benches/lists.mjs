// What the lists of applicants, matches and pushes cost on this machine: `make bench-lists`.
//
// Fills a database with 5,000,000 applicants and 10,000,000 pushes (25 organisations, 400 plans) and
// measures the lists with every filter and sort, deep pages too, and a phone that is looked up by its
// whole number, and the search of the whole back office. On the PostgreSQL server that LEADLANE_TEST_POSTGRES_URL names; on SQLite with
// BENCH_ENGINE=sqlite. Ends with an error where a figure is not met; the figures depend on the machine.

import os from "node:os";
import { DAY, POSTGRES, SQLITE, agent, at, conclude, consent, dayStart, dayText, figure, ms, on, partners, row, send, signIn, signed } from "./support.mjs";

/** A part of the whole, for a first look. */
const scale = Number(process.env.BENCH_LEADS ?? 1);
const USERS = Math.round(5_000_000 * scale);
const PUSHES = Math.round(10_000_000 * scale);
const PLANS = 400;
const DAYS = 365;
const TABLES = ["applicant", "match_record", "push_record"];

/** The statements that fill the database: one text for both engines. */
function filling(now) {
  const numbers = (count) => `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${count})`;
  const first = (table) => `(SELECT MIN(id) FROM ${table})`;
  // A number below `of`, all with the same frequency; numbers by different primes are independent.
  const any = (prime, of) => `(CAST(i AS BIGINT) * ${prime} % 1299709 % ${of})`;
  const city = `CASE ${any(7919, 8)} WHEN 0 THEN '310100' WHEN 1 THEN '330100' WHEN 2 THEN '320100' WHEN 3 THEN '110100' WHEN 4 THEN '440100' ELSE '510100' END`;
  const channel = `${any(104_729, 40)} + 1`;
  const product = `CASE ${any(611_953, 3)} WHEN 0 THEN ${any(350_377, 60)} + 1 END`;
  const plan = any(224_737, PLANS);
  const when = (count) => `${now} - (${count} - i) * CAST(${Math.floor((DAYS * DAY) / 1000)} AS BIGINT) / ${count} * 1000`;
  return [
    `${numbers(PLANS)} INSERT INTO plan (no, name, org_id, deliver_mode, sale_mode, max_buyers, price_cents, method_priority, weight,
       exposure_weight, out_of_schedule, match_required, status, created_at, updated_at)
     SELECT 'BENCH' || i, '计划 ' || i, i % 25 + ${first("organisation")}, 'crm', 'exclusive', 1, 5000, 1, 1, 1, 'skip', 0, 'running', i, i FROM n`,
    `${numbers(USERS)} INSERT INTO applicant (no, phone_enc, phone_hash, phone_md5_hash, phone_mask, name_mask, province, city, age, amount_cents,
       said, star, channel_id, product_id, request_id, payload_hash, system, client_ip, user_agent, test, status, reason, checks, created_at, updated_at)
     SELECT 'U20260101-' || i, 'x', 'bench-phone-hash-000000000000000000000000' || i, 'bench-md5-hash-0000000000000000000000000' || i, '100****0000', '张**', '310000', ${city},
       20 + ${any(15_485_863, 40)}, ${any(32_452_843, 50)} * 100000, '{}', CASE ${any(86_028_121, 20)} WHEN 0 THEN ${any(49_979_687, 5)} + 1 END,
       ${channel}, ${product}, 'bench-' || i, 'x', CASE i % 3 WHEN 0 THEN 'ios' ELSE 'android' END, '203.0.113.9', '', CASE ${any(67_867_967, 100)} WHEN 0 THEN 1 ELSE 0 END,
       CASE WHEN ${any(122_949_823, 10)} < 6 THEN 'distributed' WHEN ${any(122_949_823, 10)} < 8 THEN 'unmatched' WHEN ${any(122_949_823, 10)} = 8 THEN 'duplicate' ELSE 'blocked' END, NULL, '[]', ${when(USERS)}, ${when(USERS)} FROM n`,
    `${numbers(USERS)} INSERT INTO match_record (no, direction, user_id, phone_mask, city, channel_id, plan_id, org_id, request, status, passed_over, cost_ms, test, created_at)
     SELECT 'M20260101-' || i, CASE ${any(15_485_863, 4)} WHEN 0 THEN 'outbound' ELSE 'round' END, ${first("applicant")} + i, '100****0000', ${city}, ${channel},
       (SELECT MIN(id) FROM plan WHERE no = 'BENCH0') + ${plan}, ${plan} % 25 + ${first("organisation")}, '', CASE ${any(961_748_941, 3)} WHEN 0 THEN 'no_plan' ELSE 'matched' END, '{}', 3, 0, ${when(USERS)} FROM n`,
    `${numbers(PUSHES)} INSERT INTO push_record (no, user_id, phone_hash, name_mask, phone_mask, city, plan_id, org_id, channel_id, product_id, sale_mode, price_cents,
       status, upstream_no, sold_at, created_at, updated_at)
     SELECT 'PS20260101-' || i, ${first("applicant")} + i / ${PUSHES / USERS}, 'bench-phone-hash-000000000000000000000000' || i, '张**', '100****0000', ${city},
       (SELECT MIN(id) FROM plan WHERE no = 'BENCH0') + ${plan}, ${plan} % 25 + ${first("organisation")}, ${channel}, ${product}, 'shared',
       3000 + ${any(32_452_843, 500)} * 10, CASE WHEN ${any(122_949_823, 10)} < 7 THEN 'accepted' WHEN ${any(122_949_823, 10)} < 9 THEN 'rejected' ELSE 'failed' END,
       'B' || i, CASE WHEN ${any(122_949_823, 10)} < 7 THEN ${when(PUSHES)} END,
       ${when(PUSHES)}, ${when(PUSHES)} FROM n`,
  ].map((statement) => `${statement};`);
}

async function measure(engine) {
  await on(engine, async ({ database, run, serve }) => {
    run("demo", "--days", "0", "--users", "0");
    const now = Date.now();
    const began = performance.now();
    // Indexes last: row by row they take ten times as long.
    const indexes = database.indexes(TABLES);
    database.run([...indexes.map(({ name }) => `DROP INDEX ${name};`), ...filling(now), ...indexes.map(({ text }) => `${text};`)]);
    const filled = (performance.now() - began) / 1000;
    console.log(`\n${engine.name}: ${USERS.toLocaleString("en")} applicants and matches, ${PUSHES.toLocaleString("en")} pushes, ${(database.size() / 2 ** 30).toFixed(1)} GB, filled in ${filled.toFixed(0)} s`);
    const { port, token } = await serve();
    const org = Number(database.ask("SELECT MIN(id) + 3 FROM organisation"));
    const plan = Number(database.ask("SELECT MIN(id) + 107 FROM plan WHERE no LIKE 'BENCH%'"));
    const month = { createdFrom: dayText(dayStart(now) - 30 * DAY), createdTo: dayText(dayStart(now)) };
    console.log("  p95 of a page with its count, the first, the third, the hundredth and the five hundredth");
    let worst = ["", 0];
    for (const [path, sorts, filters, who = "admin"] of [
      ["/user", ["createdAt", "updatedAt", "amountCents", "age"],
        { none: {}, month, channel: { channelId: 7 }, product: { productId: 7 }, status: { status: "unmatched" }, city: { city: "330100" }, star: { star: 3 }, test: { test: "yes" }, "status, city": { status: "distributed", city: "310100" }, "channel, month": { channelId: 7, ...month }, "channel, status": { channelId: 7, status: "blocked" }, "product, city": { productId: 7, city: "330100" } }],
      ["/user", ["createdAt", "amountCents"], { "of a manager of channels": {}, "of one, city": { city: "330100" } }, "channel.zhao"],
      ["/user/match", ["createdAt"], { none: {}, month, channel: { channelId: 7 }, plan: { planId: plan }, organisation: { orgId: org }, status: { status: "no_plan" }, direction: { direction: "outbound" }, "plan, channel": { planId: plan, channelId: 7 } }],
      ["/plan/push", ["createdAt", "soldAt", "priceCents"],
        { none: {}, month, organisation: { orgId: org }, plan: { planId: plan }, channel: { channelId: 7 }, product: { productId: 7 }, status: { status: "failed" }, "organisation, status": { orgId: org, status: "accepted" }, "plan, channel": { planId: plan, channelId: 7 }, "channel, product": { channelId: 7, productId: 7 }, number: { keyword: "PS20260101-77" } }],
      ["/plan/push", ["createdAt", "priceCents"], { "of an organisation": {}, "of one, status": { status: "rejected" } }, "north.manager"],
    ]) {
      const as = who === "admin" ? token : await signIn(port, who);
      for (const [name, filter] of Object.entries(filters)) {
        const cells = [];
        for (const sort of sorts) {
          const times = [];
          for (let turn = 0; turn < 50; turn++) {
            const body = { ...filter, sort, order: turn % 4 === 3 ? "asc" : "desc", current: [1, 3, 100, 1, 500][turn % 5] };
            times.push((await send(port, "POST", `/api${path}/page`, JSON.stringify(body), as)).time);
          }
          const p95 = at(times.sort((a, b) => a - b), 0.95);
          cells.push(`${sort} ${p95.toFixed(1)}`);
          if (p95 > worst[1]) worst = [`${path}, ${name}, by ${sort}`, p95];
        }
        row(`${path}, ${name}`, `${cells.join("; ")} ms`);
      }
    }
    figure(`slowest of all: ${worst[0]}`, worst[1], { most: 50, unit: " ms" }, ms(worst[1]));

    // One whose number is known.
    const [channel] = await partners(port, token, 1);
    const phone = "13000000001";
    await signed(port, "/open/user", channel, JSON.stringify({ requestId: "known", user: { phone, name: "张小三", consent, applicant: {} } }));
    const times = [];
    for (let turn = 0; turn < 200; turn++) {
      const found = await send(port, "POST", "/api/user/page", JSON.stringify({ keyword: phone }), token);
      if (found.data.list.length !== 1) throw new Error("the phone was not found");
      times.push(found.time);
    }
    times.sort((a, b) => a - b);
    figure("a phone by its whole number, median, p95", at(times, 0.95), { most: 5, unit: " ms" }, `${ms(at(times, 0.5))}, ${ms(at(times, 0.95))}`);

    // The search of the whole back office. All numbers are of one day: the beginning of a number is that of all of them.
    const manager = await signIn(port, "north.manager");
    const own = database.ask("SELECT MIN(no) FROM push_record WHERE org_id = (SELECT org_id FROM administrator WHERE username = 'north.manager')");
    let slowest = ["", 0];
    for (const [name, q, as] of [
      ["a number", "U20260101-77777", token],
      ["the beginning of a number", "U20260101-7", token],
      ["a day", "U20260101", token],
      ["a push of an organisation", own, manager],
      ["the beginning of a push, of an organisation", "PS20260101-1", manager],
      ["a day of pushes, of an organisation", "PS2026", manager],
      ["a phone", phone, token],
      ["a part of a name", "计划 1", token],
      ["first letters", "jh", token],
      ["nothing", "没有这样的名称", token],
    ]) {
      const times = [];
      for (let turn = 0; turn < 100; turn++) times.push((await send(port, "POST", "/api/search", JSON.stringify({ q }), as)).time);
      times.sort((a, b) => a - b);
      const p95 = at(times, 0.95);
      row(`search: ${name}`, `${ms(at(times, 0.5))}, p95 ${ms(p95)}`);
      if (p95 > slowest[1]) slowest = [name, p95];
    }
    figure(`slowest search: ${slowest[0]}`, slowest[1], { most: 100, unit: " ms" }, ms(slowest[1]));
  });
}

console.log(`Lists, ${os.cpus()[0].model}, ${os.cpus().length} cores`);
if (process.env.BENCH_ENGINE === "sqlite") await measure(SQLITE);
else if (process.env.LEADLANE_TEST_POSTGRES_URL) await measure(POSTGRES);
else console.log("\nPostgreSQL: LEADLANE_TEST_POSTGRES_URL names no server");
agent.destroy();
conclude();
