// What statistics cost over two years of figures: a part of `make bench-lists`.
//
// Fills a database with the daily and monthly figures of 200 channels, 400 plans, 300 organisations and all products of
// the demo, each of all systems and of every one, and with those of stars by channel and organisation. Measures every
// screen over ranges from a week to two years, sorted and compared with an earlier range, and the overview. On the
// PostgreSQL server that LEADLANE_TEST_POSTGRES_URL names; on SQLite with BENCH_ENGINE=sqlite. Ends with an error where a
// figure is not met; the figures depend on the machine.

import os from "node:os";
import { DAY, POSTGRES, SQLITE, agent, at, conclude, dayStart, dayText, figure, ms, on, row, send } from "./support.mjs";

const DAYS = 731;
const CHANNELS = 200;
const ORGS = 300;
const PLANS = 400;
/** Calls of each kind that are measured. */
const TURNS = 20;

/** The columns that are filled, besides those of visits. */
const COLUMNS = [
  "cost_cents", "income_cents", "registered", "applied", "matched", "sold", "returned", "pushed", "duplicates", "failed", "refused", "refund_cents", "charged_cents",
  "decided", "decided_refund_cents", "decided_charged_cents", "stars_0", "stars_1", "stars_2", "stars_3", "contacted", "visited", "signed", "disbursed", "money_cents",
];
const VISITS = ["pv", "uv", "test_pv", "test_uv", "exposure_pv", "exposure_uv"];

/** The statements that add the subjects of figures, the figures by day, and their sums by month. */
function filling(today) {
  const numbers = (count) => `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${count})`;
  const days = Array.from({ length: DAYS }, (_, back) => `(${back}, '${dayText(today - back * DAY)}')`).join(", ");
  const systems = "(SELECT '' AS system UNION ALL SELECT 'ios' UNION ALL SELECT 'android' UNION ALL SELECT 'wechat' UNION ALL SELECT 'other')";
  const values = (columns) => columns.map((_, index) => `(b.id * ${index + 3} + d.n * ${index + 7}) % ${90 + index}`).join(", ");
  const kind = (name, table, org) =>
    `INSERT INTO uv_stat_daily (day, subject_type, subject_id, channel_id, system, org_id, computed_at, ${[...VISITS, ...COLUMNS].join(", ")})
     SELECT d.day, '${name}', b.id, 0, y.system, ${org}, 1, ${values([...VISITS, ...COLUMNS])} FROM bench_day d CROSS JOIN ${table} b CROSS JOIN ${systems} y`;
  const stars = (channel, org, table) =>
    `INSERT INTO star_stat_daily (day, star, channel_id, org_id, computed_at, ${COLUMNS.join(", ")})
     SELECT d.day, z.star, ${channel}, ${org}, 1, ${values(COLUMNS)} FROM bench_day d CROSS JOIN ${table} b
     CROSS JOIN (SELECT -1 AS star UNION ALL SELECT 0 UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3) z`;
  const months = (name, keys, columns) =>
    `DELETE FROM ${name}_monthly; INSERT INTO ${name}_monthly (month, ${keys}, ${name === "uv_stat" ? "org_id, " : ""}computed_at, ${columns.join(", ")})
     SELECT SUBSTR(day, 1, 7), ${keys}, ${name === "uv_stat" ? "MAX(org_id), " : ""}1, ${columns.map((column) => `SUM(${column})`).join(", ")} FROM ${name}_daily GROUP BY SUBSTR(day, 1, 7), ${keys}`;
  return [
    "CREATE TABLE bench_day (n BIGINT, day TEXT)",
    `INSERT INTO bench_day (n, day) VALUES ${days}`,
    `${numbers(ORGS)} INSERT INTO organisation (code, name, short_name, type, licence_no, licence_expire_on, bill_mode, credit_limit_cents, mode, status, version, created_at, updated_at)
       SELECT 'stats' || i, '机构 ' || i, '机构 ' || i, 'other', 'BENCH', '2099-12-31', 'credit', 0, 'live', 'active', 1, 0, 0 FROM n`,
    `${numbers(PLANS)} INSERT INTO plan (no, name, org_id, deliver_mode, sale_mode, max_buyers, price_cents, method_priority, weight,
       exposure_weight, out_of_schedule, match_required, status, created_at, updated_at)
     SELECT 'BENCH' || i, '计划 ' || i, (SELECT MIN(id) FROM organisation WHERE code = 'stats0') + i % ${ORGS}, 'crm', 'exclusive', 1, 5000, 1, 1, 1, 'skip', 0, 'running', i, i FROM n`,
    "DELETE FROM uv_stat_daily",
    "DELETE FROM star_stat_daily",
    kind("channel", "channel", "0"),
    kind("all_channels", "(SELECT 0 AS id)", "0"),
    kind("all_orgs", "(SELECT 0 AS id)", "0"),
    kind("product", "product", "b.org_id"),
    kind("org", "organisation", "b.id"),
    kind("plan", "plan", "b.org_id"),
    stars("0", "0", "(SELECT 1 AS id)"),
    stars("b.id", "0", "channel"),
    stars("0", "b.id", "organisation"),
    months("uv_stat", "subject_type, subject_id, channel_id, system", [...VISITS, ...COLUMNS]),
    months("star_stat", "star, channel_id, org_id", COLUMNS),
    "DROP TABLE bench_day",
  ].map((statement) => `${statement};`);
}

/** Screens by path, with the required filter beside the range for those whose rows are days. */
const SCREENS = [
  ["/chart/channel"], ["/chart/product"], ["/chart/system"], ["/chart/org"], ["/chart/score"],
  ["/chart/orgD2d", "subjectId"], ["/chart/channelD2d", "subjectId"],
  ["/chartMon/channel"], ["/chartMon/system"], ["/chartMon/org"], ["/chartMon/product"],
];

/** p95 of a call, after it was made twice. */
async function p95(call) {
  await call();
  await call();
  const all = [];
  for (let turn = 0; turn < TURNS; turn++) all.push((await call()).time);
  return at(all.sort((a, b) => a - b), 0.95);
}

async function measure(engine) {
  await on(engine, async ({ database, run, serve }) => {
    run("demo", "--days", "0", "--users", "0", "--channels", String(CHANNELS));
    const today = dayStart(Date.now());
    const began = performance.now();
    database.run(filling(today));
    const rows = database.ask("SELECT (SELECT COUNT(*) FROM uv_stat_daily) || ' and ' || (SELECT COUNT(*) FROM star_stat_daily)");
    console.log(`\n${engine.name}: ${rows} rows of days, ${(database.size() / 2 ** 30).toFixed(1)} GB, filled in ${((performance.now() - began) / 1000).toFixed(0)} s`);
    const { port, token } = await serve();
    const subjectId = { "/chart/orgD2d": Number(database.ask("SELECT MAX(id) FROM organisation")), "/chart/channelD2d": Number(database.ask("SELECT MAX(id) FROM channel")) };
    const range = (from, to = 0) => ({ dayFrom: dayText(today - from * DAY), dayTo: dayText(today - to * DAY) });
    const ranges = { "7 days": range(6), "30 days": range(29), "a quarter": range(91), "a year": range(364), "two years": range(730) };
    for (const [path, one] of SCREENS) {
      const cells = [];
      let worst = 0;
      for (const [name, days] of Object.entries(ranges)) {
        const filters = { ...days, ...(one ? { subjectId: subjectId[path] } : {}), pageSize: 20 };
        const bodies = [{ ...filters, sort: "sales", order: "desc" }, { ...filters, sort: "marginBp", order: "asc" }];
        if (!one && path.startsWith("/chart/")) bodies.push({ ...filters, againstFrom: dayText(today - 729 * DAY), againstTo: dayText(today - 366 * DAY) });
        const times = [];
        for (const body of bodies) times.push(await p95(() => send(port, "POST", `/api${path}/page`, JSON.stringify(body), token)));
        worst = Math.max(worst, ...times);
        cells.push(`${name} ${times.map((time) => time.toFixed(0)).join("/")}`);
      }
      row(`${path}/page`, `${cells.join("; ")} ms`);
      figure(`${path}/page, slowest`, worst, { most: 50, unit: " ms" }, ms(worst));
    }
    const overview = await p95(() => send(port, "GET", "/api/chart/overview", undefined, token));
    figure("/chart/overview", overview, { most: 50, unit: " ms" }, ms(overview));
  });
}

console.log(`Statistics, ${os.cpus()[0].model}, ${os.cpus().length} cores`);
if (process.env.BENCH_ENGINE === "sqlite") await measure(SQLITE);
else if (process.env.LEADLANE_TEST_POSTGRES_URL) await measure(POSTGRES);
else console.log("\nPostgreSQL: LEADLANE_TEST_POSTGRES_URL names no server");
agent.destroy();
conclude();
