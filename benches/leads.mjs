// What leads cost on this machine: `make bench`.
//
// Offers applicants by signed calls at a steady pace while 400 plans of 25 organisations run, half of
// which deliver to a server that takes every lead, and measures how long they take to be accepted and sold. On
// SQLite, and on the PostgreSQL server that LEADLANE_TEST_POSTGRES_URL names. Some are brought before, because a
// database without statistics of its tables reads them whole. Afterwards the books are checked. Ends with
// an error where a figure is not met; the figures depend on the machine.

import os from "node:os";
import { POSTGRES, SQLITE, TAKEN, agent, at, buyer, conclude, figure, ms, on, pace, partners, person, row, send, signed } from "./support.mjs";

const PLANS = 400;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 30);
const BEFORE = 500;
const CITIES = ["310100", "330100", "320100", "110100", "440100", "440300", "510100", "420100"];

/** Plans of all usual kinds: by city, by age, by house, by channel; every second delivers over HTTP. */
function filling(base) {
  const cities = `CASE i % 3 WHEN 0 THEN '[]' WHEN 1 THEN '["${CITIES[0]}","${CITIES[1]}"]' ELSE '["${CITIES[2]}","${CITIES[3]}","${CITIES[4]}"]' END`;
  const rules = `CASE i % 4 WHEN 0 THEN NULL WHEN 1 THEN '{"all":[{"field":"age","op":"between","value":[25,45]}]}'
    WHEN 2 THEN '{"all":[{"field":"age","op":"gte","value":22},{"any":[{"field":"house","op":"exists","value":true},{"field":"car","op":"exists","value":true}]}]}'
    ELSE '{"all":[{"field":"zhima","op":"in","value":["from_650","over_700"]},{"field":"overdue","op":"in","value":["none"]}]}' END`;
  return [
    "UPDATE plan SET status = 'ended'",
    "UPDATE organisation SET licence_no = 'BENCH', licence_expire_on = '2099-12-31', status = 'active'",
    "DELETE FROM org_api_config",
    `INSERT INTO org_api_config (org_id, apply_url, crypto, field_map, match_ok_expr, apply_ok_expr, timeout_ms, retry_max, status, version, created_at, updated_at)
     SELECT id, '${base}/any/apply', 'none', '{"phone":"mobile","leadNo":"leadNo"}', 'code == "0000"', 'code == "0000"', 3000, 1, 'enabled', 1, 0, 0 FROM organisation`,
    "UPDATE organisation SET bill_mode = 'credit', credit_limit_cents = 100000000000",
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${PLANS}) INSERT INTO plan (no, name, org_id, deliver_mode,
       sale_mode, max_buyers, price_cents, method_priority, weight, exposure_weight, cities, rule_set, dedup_days, out_of_schedule, match_required,
       status, created_at, updated_at)
     SELECT 'BENCH' || i, '计划 ' || i, i % 25 + (SELECT MIN(id) FROM organisation), CASE i % 2 WHEN 0 THEN 'crm' ELSE 'api' END, 'exclusive', 1, 3000 + i % 50 * 100, i % 10, 1, 1, ${cities}, ${rules},
       30, 'skip', 0, 'running', i, i FROM n`,
    `INSERT INTO cap_rule (subject_type, subject_id, "window", weekday, max_count, max_cents, created_at, updated_at)
     SELECT 'plan', id, 'day', NULL, 100000, NULL, 0, 0 FROM plan WHERE no LIKE 'BENCH%'`,
    `INSERT INTO general_setting (key, value, version, updated_at, updated_by) SELECT 'lead.method', '"weight"', 1, 0, MIN(id) FROM administrator`,
  ].map((statement) => `${statement};`);
}

/** Measures a trial of a plan on all of these leads; with unchanged terms it must find exactly the sold leads. */
async function trial(port, token) {
  const { list } = (await send(port, "POST", "/api/plan/page", JSON.stringify({ status: "running", pageSize: 1 }), token)).data;
  const { id, priceCents, priceRules, methodPriority, weight, caps, ruleSet, cities, channelAllow, channelDeny, schedule, outOfSchedule } = list[0];
  const terms = { id, days: 1, priceCents, priceRules, methodPriority, weight, caps, ruleSet, cities, channelAllow, channelDeny, schedule, outOfSchedule };
  const tried = (changes) => send(port, "POST", "/api/plan/try", JSON.stringify({ ...terms, ...changes }), token);
  const same = (await tried({})).data;
  const { time, data } = await tried({ weight: 100, ruleSet: null, cities: [] });
  figure("sales that a trial with nothing changed changes", Math.abs(same.all.wasLeads - same.all.wouldBeLeads) + same.others.length, { most: 0 });
  figure("rounds a second, tried with other terms", Math.round((data.rounds * 1000) / time), { least: 2000 }, `${Math.round((data.rounds * 1000) / time)}, ${data.rounds} in ${ms(time)}`);
}

async function measure(engine, rate) {
  let delivered = 0;
  await on(engine, async ({ database, run, serve }) => {
    run("demo", "--days", "0", "--users", "0");
    const { base, close } = await buyer((_name, _call, _request, response) => {
      delivered++;
      response.end(TAKEN);
    });
    database.run(filling(base));
    const { port, token } = await serve();
    const channels = await partners(port, token, 10);
    console.log(`\n${engine.name}: ${rate} applicants a second for ${SECONDS} s, ${PLANS} running plans`);
    const waits = [];
    let [failed, refused] = [0, 0];
    const bring = async (number) => {
      const about = { age: 20 + (number % 40), city: CITIES[number % CITIES.length], house: number % 2 ? "none" : "pledgeable", zhima: "from_650", overdue: "none" };
      try {
        const { time, data } = await signed(port, "/open/user", channels[number % channels.length], person(number, about));
        waits.push(time);
        if (!data.accepted && refused++ === 0) console.error(data);
      } catch (error) {
        if (failed++ === 0) console.error(error.message);
      }
    };
    const count = async (path, body) => (await send(port, "POST", `/api${path}/page`, JSON.stringify(body), token)).data;
    const pushes = async (status) => (await count("/plan/push", { status, pageSize: 1 })).total;
    const ON_WAY = ["queued", "sending", "retrying", "unconfirmed"];
    // Open leads of the demo, some of which wait for a person.
    const left = {};
    for (const status of ON_WAY) left[status] = await pushes(status);
    /** Waits until no applicant is being matched and no lead is being sent. */
    const all = async () => {
      for (;;) {
        let waiting = (await count("/user", { status: "matching", pageSize: 1 })).total;
        for (const status of ON_WAY) waiting += (await pushes(status)) - left[status];
        if (waiting === 0) return;
        await new Promise((tick) => setTimeout(tick, 50));
      }
    };
    await pace(100, BEFORE / 100, (number) => bring(rate * SECONDS + number));
    await all();
    database.run([]);
    const accepted = await pushes("accepted");
    waits.length = 0;
    delivered = 0;
    const began = performance.now();
    await pace(rate, SECONDS, bring);
    const taken = (performance.now() - began) / 1000;
    await all();
    const sold = (performance.now() - began) / 1000;
    waits.sort((a, b) => a - b);
    // The last call's answer and the last delivery come after the last offer.
    const least = Math.round(0.97 * rate);
    figure("applicants a second, taken in", Math.round(waits.length / taken), { least });
    figure("calls that failed or were refused", failed + refused, { most: 0 });
    row("until a call is answered, median, p95, p99", `${ms(at(waits, 0.5))}, ${ms(at(waits, 0.95))}, ${ms(at(waits, 0.99))}`);
    const rateSold = Math.round((rate * SECONDS) / sold);
    figure("all of them matched and sold, a second", rateSold, { least }, `${rateSold}, after ${sold.toFixed(1)} s`);
    const { total, totalIsExact } = await count("/plan/push", { status: "accepted", pageSize: 1 });
    row("leads that were bought, and calls of our server for them", `${total - accepted}${totalIsExact ? "" : " or more"}, ${delivered}`);
    await trial(port, token);
    close();
    row("leadlane ledger verify", run("ledger", "verify").trim());
  });
}

console.log(`Leads, ${os.cpus()[0].model}, ${os.cpus().length} cores`);
await measure(SQLITE, Number(process.env.BENCH_RATE ?? 150));
if (process.env.LEADLANE_TEST_POSTGRES_URL) await measure(POSTGRES, Number(process.env.BENCH_RATE ?? 300));
else console.log("\nPostgreSQL: LEADLANE_TEST_POSTGRES_URL names no server");
agent.destroy();
conclude();
