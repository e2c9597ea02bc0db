// Whether leads are sold once, under their caps and within balances, whatever happens: `make stress`.
//
// 64 clients offer applicants for a minute, many of them the same people, while plans with tight caps
// and small credits buy them, some over servers that hang, fail, answer rubbish or answer twice, and a process is
// killed every five seconds. Two processes on PostgreSQL, one on SQLite. Afterwards everything is
// left to settle and is counted. It ends with a word and a code: it is a test, but a slow one.

import { spawn } from "node:child_process";
import http from "node:http";
import { PASSWORD, POSTGRES, SQLITE, agent, binary, environmentOf, freePort, on, partners, ready, row, signed } from "./support.mjs";

const SECONDS = Number(process.env.STRESS_SECONDS ?? 60);
const CLIENTS = 64;
const PLANS = 40;
const CAP = 50;

/** Servers of organisations: one that takes everything, and some that do not. */
async function buyers() {
  const answers = {
    good: (answer) => answer.end('{"code":"0000","data":{"orderNo":"A"}}'),
    no: (answer) => answer.end('{"code":"1","msg":"no"}'),
    hangs: () => {},
    fails: (answer) => answer.writeHead(500).end(),
    rubbish: (answer) => answer.end("<html>"),
    // Takes it, and refuses it in a second answer that nobody has asked for.
    twice: (answer) => answer.end('{"code":"0000","data":{"orderNo":"B"}}', () => answer.req.socket.write("HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\n{\"code\":\"1\",\"msg\":1}")),
  };
  const server = http.createServer((request, answer) => request.resume().on("end", () => answers[request.url.slice(1)](answer)));
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const base = `http://127.0.0.1:${server.address().port}`;
  return { server, urls: Object.keys(answers).map((name) => `${base}/${name}`) };
}

function filling(urls) {
  const org = (i) => `(SELECT id FROM organisation ORDER BY id LIMIT 1 OFFSET ${i})`;
  return [
    "UPDATE plan SET status = 'ended'",
    "UPDATE organisation SET licence_no = 'BENCH', licence_expire_on = '2099-12-31', status = 'active', bill_mode = 'credit', credit_limit_cents = 1500000",
    "UPDATE org_account SET balance_cents = 0, frozen_cents = 0, gift_cents = 0, seq = 0, total_recharge_cents = 0, total_spend_cents = 0",
    "DELETE FROM account_ledger",
    "UPDATE push_record SET return_id = NULL",
    "DELETE FROM lead_return",
    "DELETE FROM feedback_attempt",
    "DELETE FROM feedback",
    "DELETE FROM push_attempt",
    "DELETE FROM push_record",
    "DELETE FROM org_api_config",
    ...urls.map(
      (url, i) => `INSERT INTO org_api_config (org_id, apply_url, crypto, field_map, apply_ok_expr, timeout_ms, retry_max, status, version, created_at, updated_at)
        VALUES (${org(i)}, '${url}', 'none', '{"phone":"mobile","leadNo":"leadNo"}', 'code == "0000"', 1000, 0, 'enabled', 1, 0, 0)`,
    ),
    ...Array.from(
      { length: PLANS },
      (_, i) => `INSERT INTO plan (no, name, org_id, deliver_mode, sale_mode, max_buyers, price_cents, method_priority, weight, exposure_weight,
        dedup_days, out_of_schedule, match_required, status, created_at, updated_at) VALUES ('STRESS${i}', 'p${i}', ${org(i % 10)},
        '${i % 10 < urls.length ? "api" : "crm"}', '${i % 2 ? "shared" : "exclusive"}', ${i % 2 ? 3 : 1}, ${3000 + i * 10}, ${i % 7}, 1, 1, 30, 'skip', 0, 'running', 0, 0)`,
    ),
    `INSERT INTO cap_rule (subject_type, subject_id, "window", weekday, max_count, max_cents, created_at, updated_at)
       SELECT 'plan', id, 'total', NULL, ${CAP}, NULL, 0, 0 FROM plan WHERE no LIKE 'STRESS%'`,
    "UPDATE channel SET dedup_days = 0",
  ].map((statement) => `${statement};`);
}

/** What must be nothing: each with the statement that finds it. */
const FAULTS = {
  "plans over their cap": `SELECT COUNT(*) FROM (SELECT plan_id FROM push_record WHERE status IN ('queued','sending','retrying','accepted') GROUP BY plan_id HAVING COUNT(*) > ${CAP}) AS found`,
  "caps that count otherwise": `SELECT COUNT(*) FROM (SELECT k.subject_id FROM cap_rule k JOIN cap_counter c ON c.rule_id = k.id JOIN plan p ON p.id = k.subject_id AND p.no LIKE 'STRESS%'
    WHERE k.subject_type = 'plan' AND c.used_count <> (SELECT COUNT(*) FROM push_record h WHERE h.plan_id = k.subject_id AND h.status IN ('queued','sending','retrying','accepted'))) AS found`,
  "sold twice to one organisation": "SELECT COUNT(*) FROM (SELECT org_id, phone_hash FROM push_record WHERE status IN ('queued','sending','retrying','accepted') GROUP BY org_id, phone_hash HAVING COUNT(*) > 1) AS found",
  "exclusive leads of several": `SELECT COUNT(*) FROM (SELECT user_id FROM push_record WHERE status IN ('queued','sending','retrying','accepted') GROUP BY user_id
    HAVING COUNT(*) > 3 OR (COUNT(*) > 1 AND MAX(CASE sale_mode WHEN 'exclusive' THEN 1 ELSE 0 END) = 1)) AS found`,
  "accepted and not paid": "SELECT COUNT(*) FROM push_record h WHERE h.status = 'accepted' AND NOT EXISTS (SELECT 1 FROM account_ledger l WHERE l.ref_type = 'push_record' AND l.ref_id = h.id AND l.amount_cents = -h.price_cents)",
  "paid and not accepted": "SELECT COUNT(*) FROM account_ledger l JOIN push_record h ON h.id = l.ref_id AND l.ref_type = 'push_record' WHERE h.status <> 'accepted'",
  "accepted without a clue": "SELECT COUNT(*) FROM push_record h WHERE h.status = 'accepted' AND NOT EXISTS (SELECT 1 FROM clue k WHERE k.push_id = h.id)",
  "past their credit": "SELECT COUNT(*) FROM org_account a WHERE a.balance_cents - a.frozen_cents < -1500000",
  "leads still on their way": "SELECT COUNT(*) FROM push_record WHERE status IN ('queued','sending','retrying')",
  "applicants still looked after": "SELECT COUNT(*) FROM applicant WHERE status = 'matching'",
};

async function stress(engine, processes) {
  const { server, urls } = await buyers();
  let found = 0;
  await on(engine, async ({ database, run, serve, env }) => {
    run("demo", "--days", "0", "--users", "0", "--password", PASSWORD);
    database.run(filling(urls));
    const first = await serve();
    const channels = await partners(first.port, first.token, 5);
    await first.stop();

    let over = false;
    const running = [];
    const start = async (slot) => {
      const port = await freePort();
      const child = spawn(binary, ["serve"], { env: { ...env, ...environmentOf(port), LEADLANE_PRIVATE_CALLS: "allow" }, stdio: ["ignore", "ignore", "ignore"] });
      running[slot] = { port, child };
      await ready(port);
    };
    for (let slot = 0; slot < processes; slot++) await start(slot);
    let [offered, taken, lost, kills] = [0, 0, 0, 0];
    const client = async () => {
      while (!over) {
        const number = offered++;
        // Every third comes again, under another number.
        const person = number % 3 === 2 ? number - 1 : number;
        const user = {
          phone: `1${String(5_000_000_000 + person)}`, name: "张小三", ip: "203.0.113.9", applicant: { age: 30 },
          consent: { agreement: "LOAN", version: "3", textHash: "a".repeat(64), allPartners: true },
        };
        try {
          await signed(running[number % processes].port, "/open/user", channels[number % channels.length], JSON.stringify({ requestId: `s-${number}`, user }));
          taken++;
        } catch {
          lost++;
          await new Promise((tick) => setTimeout(tick, 100));
        }
      }
    };
    const clients = Array.from({ length: CLIENTS }, client);
    const until = Date.now() + SECONDS * 1000;
    while (Date.now() < until) {
      await new Promise((tick) => setTimeout(tick, 5000));
      const slot = kills++ % processes;
      running[slot].child.kill("SIGKILL");
      await start(slot);
    }
    over = true;
    await Promise.all(clients);
    console.log(`\n${engine.name}: ${taken} of ${offered} calls answered, ${kills} processes killed`);
    // What a killed process had is another's after its time.
    const count = (sql) => Number(database.ask(sql));
    for (let waited = 0; waited < 240; waited++) {
      if (count(FAULTS["leads still on their way"]) + count(FAULTS["applicants still looked after"]) === 0) break;
      await new Promise((tick) => setTimeout(tick, 1000));
    }
    running.forEach(({ child }) => child.kill("SIGTERM"));
    row("applicants, and leads that were bought", `${count("SELECT COUNT(*) FROM applicant")}, ${count("SELECT COUNT(*) FROM push_record WHERE status = 'accepted'")}`);
    row("leads that were refused or given up", count("SELECT COUNT(*) FROM push_record WHERE status IN ('rejected','duplicate','failed')"));
    for (const [name, sql] of Object.entries(FAULTS)) {
      const number = count(sql);
      found += number;
      row(name, number);
    }
    row("leadlane ledger verify", run("ledger", "verify").trim());
    row("calls that were cut off", lost);
  });
  server.closeAllConnections();
  server.close();
  return found;
}

const engines = (process.env.STRESS_ENGINES ?? "sqlite,postgres").split(",");
let found = 0;
if (engines.includes("sqlite")) found += await stress(SQLITE, 1);
if (engines.includes("postgres") && process.env.LEADLANE_TEST_POSTGRES_URL) found += await stress(POSTGRES, 2);
agent.destroy();
console.log(found === 0 ? "\nnothing was sold twice, over a cap or past a balance" : `\n${found} faults`);
process.exitCode = found === 0 ? 0 : 1;
