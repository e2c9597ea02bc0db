// What visits cost on this machine: `make bench`.
//
// Fills a database with 1,000,000 rows of visits and 5,000,000 exposures (40 channels, 400 plans),
// with their daily figures, then measures the rebuilding of a month, every list of visits with each
// filter and sort, and 30 seconds of 2,000 events a second by signed calls while others read. On
// SQLite, and on the PostgreSQL server that LEADLANE_TEST_POSTGRES_URL names. Ends with an error
// where a figure is not met; the figures depend on the machine.

import { execFile } from "node:child_process";
import os from "node:os";
import { promisify } from "node:util";
import { POSTGRES, SQLITE, agent, at, binary, conclude, dayStart, dayText, DAY, figure, ms, on, partners, row, send, signed } from "./support.mjs";

/** A part of the whole, for a first look. */
const scale = Number(process.env.BENCH_VISITS ?? 1);
const VISITS = Math.round(1_000_000 * scale);
const EXPOSURES = Math.round(5_000_000 * scale);
const DAYS = 90;
const PLANS = 400;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 30);
/** Signed calls a second, and events in each. */
const CALLS = 400;
const EVENTS = 5;

/** The statements that fill the database: one text for both engines. */
function filling(today) {
  const days = Array.from({ length: DAYS }, (_, k) => `(${k}, '${dayText(today - k * DAY)}', ${today - k * DAY})`).join(", ");
  const numbers = (count) => `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${count})`;
  const system = "CASE (i / 3) % 4 WHEN 0 THEN 'ios' WHEN 1 THEN 'android' WHEN 2 THEN 'wechat' ELSE 'other' END";
  return [
    "CREATE TABLE bench_day (k BIGINT, day TEXT, start BIGINT)",
    `INSERT INTO bench_day VALUES ${days}`,
    "DELETE FROM uv_event",
    "DELETE FROM plan_exposure",
    "DELETE FROM uv_stat_daily",
    "DELETE FROM visit_kept",
    // Plans of organisations that may not buy or cannot pay would be paused, and their exposures not counted.
    "UPDATE organisation SET licence_no = 'BENCH', licence_expire_on = '2099-12-31', status = 'active', bill_mode = 'credit', credit_limit_cents = 100000000000",
    `${numbers(PLANS)} INSERT INTO plan (no, name, org_id, deliver_mode, sale_mode, max_buyers, price_cents, method_priority, weight,
       exposure_weight, out_of_schedule, match_required, status, created_at, updated_at)
     SELECT 'BENCH' || i, '计划 ' || i, i % 25 + (SELECT MIN(id) FROM organisation), 'crm', 'exclusive', 1, 5000, 1, 1, 1, 'skip', 0, 'running', i, i FROM n`,
    `${numbers(VISITS)} INSERT INTO uv_event (day, subject_type, subject_id, channel_id, visitor_key, system, org_id, pv_count, pv_added, writes,
       first_at, last_at, user_id, charge_cents, billable, test)
     SELECT d.day, CASE i % 5 WHEN 0 THEN 'product' WHEN 1 THEN 'plan' WHEN 2 THEN 'org' ELSE 'channel' END,
       CASE i % 5 WHEN 0 THEN (i / 5) % 60 + 1 WHEN 1 THEN (SELECT MIN(id) FROM plan WHERE no = 'BENCH0') + (i / 5) % ${PLANS}
         WHEN 2 THEN (i / 5) % 25 + (SELECT MIN(id) FROM organisation) ELSE (i / 5) % 40 + 1 END,
       CASE WHEN i % 5 < 3 THEN (i / 7) % 40 + 1 ELSE 0 END, 'bench-visitor-0000000000000' || i, ${system},
       CASE WHEN i % 5 < 3 THEN (i / 5) % 25 + (SELECT MIN(id) FROM organisation) ELSE 0 END, i % 3 + 1, 1, 1, d.start + i, d.start + i, NULL, i % 40 * 10, 1, 0
     FROM n JOIN bench_day d ON d.k = (i / 11) % ${DAYS}`,
    `${numbers(EXPOSURES)} INSERT INTO plan_exposure (day, plan_id, visitor_key, org_id, product_id, channel_id, system, position, pv_count, pv_added,
       writes, shown_at, last_at, clicked_at, applied_at, client_ip, ua_hash, test)
     SELECT d.day, (SELECT MIN(id) FROM plan WHERE no = 'BENCH0') + (i / ${DAYS}) % ${PLANS}, 'bench-visitor-0000000000000' || i,
       (i / ${DAYS}) % ${PLANS} % 25 + (SELECT MIN(id) FROM organisation), (i / ${DAYS}) % 60 + 1,
       ((i / ${DAYS}) % ${PLANS} * 7 + i / ${DAYS * PLANS} % 10) % 40 + 1, ${system}, i % 5 + 1, i % 2 + 1, 1, 1, d.start + i % 80000000, d.start + i % 80000000,
       CASE WHEN i % 9 = 0 THEN d.start + i % 80000000 + 5000 END,
       CASE WHEN i % 50 = 0 THEN d.start + i % 80000000 + 60000 END, '203.0.113.9', 'x', 0
     FROM n JOIN bench_day d ON d.k = i % ${DAYS}`,
    "DROP TABLE bench_day",
    ...figures(),
  ].map((statement) => `${statement};`);
}

/** The figures of this data, as `leadlane stats rebuild` would make them; the bench checks one day against it afterwards. */
function figures() {
  const agg = "INSERT INTO bench_agg SELECT";
  const shown = (subject) => `${agg} day, ${subject}, channel_id, system, MAX(org_id), 0, 0, SUM(pv_count), COUNT(*), 0, 0 FROM plan_exposure`;
  const income = (subject, where) =>
    `${agg} day, ${subject}, 0, 0, 0, 0, 0, SUM(charge_cents) FROM uv_event WHERE subject_type = 'product' AND ${where}`;
  const grain = (channel, system, where) =>
    `SELECT day, subject_type, subject_id, ${channel} AS channel_id, ${system} AS system, org_id, pv, uv, epv, euv, cost, income FROM bench_agg ${where}`;
  return [
    `CREATE TABLE bench_agg (day TEXT, subject_type TEXT, subject_id BIGINT, channel_id BIGINT, system TEXT, org_id BIGINT, pv BIGINT, uv BIGINT,
       epv BIGINT, euv BIGINT, cost BIGINT, income BIGINT)`,
    `${agg} day, subject_type, subject_id, channel_id, system, MAX(org_id), SUM(pv_count), SUM(billable), 0, 0,
       CASE subject_type WHEN 'channel' THEN SUM(charge_cents) ELSE 0 END, CASE subject_type WHEN 'product' THEN SUM(charge_cents) ELSE 0 END
     FROM uv_event GROUP BY day, subject_type, subject_id, channel_id, system`,
    `${income("'org', org_id, channel_id, system, org_id", "org_id <> 0")} GROUP BY day, org_id, channel_id, system HAVING SUM(charge_cents) > 0`,
    `${income("'channel', channel_id, 0, system, 0", "channel_id <> 0")} GROUP BY day, channel_id, system HAVING SUM(charge_cents) > 0`,
    `${shown("'plan', plan_id")} GROUP BY day, plan_id, channel_id, system`,
    `${shown("'product', product_id")} GROUP BY day, product_id, channel_id, system`,
    `${shown("'org', org_id")} GROUP BY day, org_id, channel_id, system`,
    `INSERT INTO uv_stat_daily (day, subject_type, subject_id, channel_id, system, org_id, pv, uv, test_pv, test_uv, exposure_pv, exposure_uv,
       cost_cents, income_cents, computed_at)
     SELECT day, subject_type, subject_id, channel_id, system, MAX(org_id), SUM(pv), SUM(uv), 0, 0, SUM(epv), SUM(euv), SUM(cost), SUM(income), 1
     FROM (${grain("channel_id", "system", "WHERE channel_id <> 0")} UNION ALL ${grain("channel_id", "''", "WHERE channel_id <> 0")}
       UNION ALL ${grain("0", "system", "")} UNION ALL ${grain("0", "''", "")}) AS grains
     GROUP BY day, subject_type, subject_id, channel_id, system`,
    "DROP TABLE bench_agg",
  ];
}

/** Measures one engine. */
async function measure(engine) {
  await on(engine, async ({ database, run, serve, env }) => {
    run("demo", "--days", "0", "--users", "0");
    const today = dayStart(Date.now());
    const began = performance.now();
    database.run(filling(today));
    const filled = (performance.now() - began) / 1000;
    console.log(`\n${engine.name}: ${VISITS.toLocaleString("en")} visits, ${EXPOSURES.toLocaleString("en")} exposures, ${DAYS} days, ${(database.size() / 2 ** 30).toFixed(1)} GB`);
    row("filled by SQL, with its figures", `${filled.toFixed(0)} s`);
    const { port, token } = await serve();
    await rebuild(database, env, port, token, today);
    await lists(port, token, today);
    await intake(port, token);
  });
}

/** Makes the figures of a month again while others read lists. */
async function rebuild(database, env, port, token, today) {
  const [from, to] = [dayText(today - 30 * DAY), dayText(today - DAY)];
  const within = `day >= '${from}' AND day <= '${to}'`;
  const rows = Number(database.ask(`SELECT (SELECT COUNT(*) FROM uv_event WHERE ${within}) + (SELECT COUNT(*) FROM plan_exposure WHERE ${within})`));
  const reads = [];
  let over = false;
  const reader = async () => {
    while (!over) {
      reads.push((await send(port, "POST", "/api/plan/uv/page", "{}", token)).time);
      await new Promise((tick) => setTimeout(tick, 50));
    }
  };
  const began = performance.now();
  const rebuilding = promisify(execFile)(binary, ["stats", "rebuild", "--from", from, "--to", to], { env }).finally(() => (over = true));
  const [{ stdout }] = await Promise.all([rebuilding, reader()]);
  const seconds = (performance.now() - began) / 1000;
  row(`leadlane stats rebuild: ${stdout.trim()}`, `${seconds.toFixed(1)} s`);
  figure("rows of events rebuilt a second, while others read", Math.round(rows / seconds), { least: 50_000 });
  row("a list meanwhile, p95", ms(at(reads.sort((a, b) => a - b), 0.95)));
}

const SORTS = ["day", "pv", "uv", "exposurePv", "exposureUv", "costCents", "incomeCents", "marginCents"];

/** Every list with each sort and filter, over the last month and over all days. */
async function lists(port, token, today) {
  const all = { dayFrom: dayText(today - (DAYS - 1) * DAY), dayTo: dayText(today) };
  const spans = [["30 days", {}], ["all days", all]];
  const filters = [["no filter", {}], ["system", { system: "android" }], ["channel", { channelId: 7 }], ["channel, system", { channelId: 7, system: "ios" }]];
  console.log("  p95 of a page, its count and its totals");
  let worst = ["", 0];
  for (const [path, sorts, more] of [
    ["/channel/uv", SORTS, [["subject", { subjectId: 7 }]]],
    ["/product/uv", SORTS, [...filters.slice(2), ["subject", { subjectId: 7 }], ["organisation", { orgId: 3 }]]],
    ["/org/uv", SORTS, [...filters.slice(2), ["subject", { subjectId: 3 }]]],
    ["/org/uv2", SORTS, [...filters.slice(2), ["organisation", { orgId: 3 }]]],
    ["/plan/uv", SORTS, [...filters.slice(2), ["subject", { subjectId: 107 }], ["organisation", { orgId: 3 }]]],
    ["/plan/exposure", ["shownAt"], [...filters.slice(2), ["plan", { planId: 107 }], ["organisation", { orgId: 3 }], ["clicked", { clicked: "yes" }], ["applied", { applied: "yes" }]]],
  ]) {
    for (const [span, days] of spans) {
      const cells = [];
      for (const [name, filter] of [...filters.slice(0, 2), ...more]) {
        let slowest = 0;
        for (const sort of sorts) {
          const times = [];
          for (let turn = 0; turn < 20; turn++) {
            const body = { ...days, ...filter, sort, order: turn % 4 === 3 ? "asc" : "desc", current: turn % 5 === 4 ? 3 : 1 };
            times.push((await send(port, "POST", `/api${path}/page`, JSON.stringify(body), token)).time);
          }
          const p95 = at(times.sort((a, b) => a - b), 0.95);
          slowest = Math.max(slowest, p95);
          if (p95 > worst[1]) worst = [`${path}, ${span}, ${name}, by ${sort}`, p95];
        }
        cells.push(`${name} ${slowest.toFixed(1)}`);
      }
      row(`${path}, ${span}, slowest sort of each filter`, `${cells.join("; ")} ms`);
    }
  }
  figure(`slowest of all: ${worst[0]}`, worst[1], { most: 50, unit: " ms" }, ms(worst[1]));
}

/** Events by signed calls, at a steady pace, while others read. */
async function intake(port, token) {
  const channels = await partners(port, token, 10);
  const products = (await send(port, "POST", "/api/product/page", JSON.stringify({ status: "online" }), token)).data.list.map(({ code }) => code);
  const sums = async () => {
    const total = async (path, field) => (await send(port, "POST", `/api${path}/page`, JSON.stringify({ dayFrom: "2020-01-01", pageSize: 1 }), token)).data.totals[field];
    return (await total("/channel/uv", "pv")) + (await total("/plan/uv", "pv")) + (await total("/plan/uv", "exposurePv"));
  };
  const before = await sums();

  const waits = [];
  let acknowledged = 0;
  let failed = 0;
  const report = async (number) => {
    const partner = channels[number % channels.length];
    const plan = () => `BENCH${Math.floor(Math.random() * PLANS)}`;
    const shown = [plan(), plan()];
    const body = JSON.stringify({
      visitor: `v-${number}`,
      ip: `203.0.${number % 250}.${Math.floor(number / 250) % 250}`,
      userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15",
      seen: [{ type: "landing" }, { type: "exposure", plan: shown[0] }, { type: "exposure", plan: shown[1] }, { type: "click", plan: shown[1] }, { type: "product", code: products[number % products.length] }],
    });
    try {
      const { time } = await signed(port, "/open/uv", partner, body);
      waits.push(time);
      // The landing page, the plans that were shown and the click are what the sums add up.
      acknowledged += 2 + new Set(shown).size;
    } catch (error) {
      if (failed++ === 0) console.error(error.message);
    }
  };
  const reads = [];
  let over = false;
  const reader = async (path) => {
    while (!over) {
      reads.push((await send(port, "POST", `/api${path}/page`, "{}", token)).time);
      await new Promise((tick) => setTimeout(tick, 50));
    }
  };
  const readers = ["/channel/uv", "/plan/uv", "/plan/exposure", "/channel"].map(reader);
  const calls = [];
  const began = performance.now();
  for (let number = 0; number < CALLS * SECONDS; number++) {
    const due = began + (number * 1000) / CALLS;
    if (performance.now() < due) await new Promise((tick) => setTimeout(tick, due - performance.now()));
    calls.push(report(number));
  }
  await Promise.all(calls);
  const seconds = (performance.now() - began) / 1000;
  over = true;
  await Promise.all(readers);
  const lost = before + acknowledged - (await sums());
  waits.sort((a, b) => a - b);
  reads.sort((a, b) => a - b);
  console.log(`  ${CALLS} signed calls of ${EVENTS} events a second for ${SECONDS} s, four readers beside them`);
  // The last call's answer comes after the last call.
  figure("events a second, acknowledged after their commit", Math.round((waits.length * EVENTS) / seconds), { least: Math.round(0.97 * CALLS * EVENTS) });
  figure("calls that failed", failed, { most: 0 });
  row("until a call is acknowledged, median, p95, p99", `${ms(at(waits, 0.5))}, ${ms(at(waits, 0.95))}, ${ms(at(waits, 0.99))}`);
  row("a list meanwhile, median, p95", `${ms(at(reads, 0.5))}, ${ms(at(reads, 0.95))}`);
  figure("acknowledged and not in the figures", lost, { most: 0 });
}

console.log(`Visits, ${os.cpus()[0].model}, ${os.cpus().length} cores`);
await measure(SQLITE);
if (process.env.LEADLANE_TEST_POSTGRES_URL) await measure(POSTGRES);
else console.log("\nPostgreSQL: LEADLANE_TEST_POSTGRES_URL names no server");
agent.destroy();
conclude();
