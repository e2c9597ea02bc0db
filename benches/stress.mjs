// Whether leads are sold once and to no more buyers than promised, under caps, within balances, and paid for by
// the organisations that have them, whatever happens: `make stress`.
//
// 64 clients offer applicants, many of them the same people, to plans with tight caps, small credits and
// mixed promises, of organisations whose servers keep books of their own: one takes everything, others
// answer too late and then as a duplicate, fail after they took it, cut the line, answer
// rubbish, refuse, refuse in unusual words what they took, hang on the question, or accept our key only after a
// while. Meanwhile processes are killed and frozen, the clock of one is two minutes off, the database loses its
// sessions and restarts, retries come due early, plans are edited and get other prices, leads are given back and
// people erased. Calls that are cut off are repeated under their number. When nothing is on its way any more,
// everything is counted: by our books, and by the organisations'. The engines run side by side.
// The exit code tells whether the books agree: this is a test, but a slow one; `make stress-short` is its short form.

import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import http from "node:http";
import { fileURLToPath } from "node:url";
import { POSTGRES, SQLITE, agent, binary, consent, delivery, end, environmentOf, freePort, on, organisation, partners, plan, ready, row, send, signIn, signed } from "./support.mjs";

const SECONDS = Number(process.env.STRESS_SECONDS ?? 60);
/** Seconds that the leads on their way may take to end by themselves: the second try of a lead comes after a minute. */
const SETTLES = Number(process.env.STRESS_SETTLES ?? (SECONDS < 60 ? 0 : 300));
/** If some leads have not ended by then, the processes are stopped and time passes: how many times at most, and how much. */
const OUTAGES = 12;
const OUTAGE = 10 * 60_000;
const CLIENTS = Number(process.env.STRESS_CLIENTS ?? 64);
const PLANS = 40;
const CAP = 50;
/** Fen that an organisation may owe: some sixty leads. */
const CREDIT = 300_000;
/** Answers of a server come within this time, or not at all. */
const TIMEOUT = 1000;

/** The library that shifts the clock of a process; undefined if it is not installed. */
const FAKETIME = ["x86_64", "aarch64"].map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`).find(existsSync);
/** The environment of a process whose clock is two minutes fast; it measures spans of time correctly. */
const fast = FAKETIME && { LD_PRELOAD: FAKETIME, FAKETIME: "+120s", FAKETIME_DONT_FAKE_MONOTONIC: "1", DONT_FAKE_MONOTONIC: "1" };

const wait = (milliseconds) => new Promise((tick) => setTimeout(tick, milliseconds));
const ok = '{"code":"0000","data":{"orderNo":"A"}}';
const known = '{"code":"2","msg":"客户重复","exist":true}';
/** A refusal whose field `duplicate` is false: the name of the field alone must not count. */
const refused = '{"code":"1","msg":"no","exist":false,"duplicate":false}';
/** A refusal in words that are in no list of the program. */
const unusual = '{"code":"77","msg":"本单不予受理","data":null}';

/** How the servers of organisations behave once they have taken a lead, the first time they are sent it. */
const MANNERS = {
  good: (answer) => answer.end(ok),
  late: async (answer) => {
    await wait(3 * TIMEOUT);
    answer.end(ok);
  },
  fails: (answer) => answer.writeHead(500).end(),
  cuts: (answer) => answer.socket.destroy(),
  // Takes a lead and cuts the line; sent it again, refuses in unusual words.
  unusual: (answer) => answer.socket.destroy(),
  rubbish: (answer) => answer.end("<html>"),
  // Accepts, and then refuses in a second, unrequested answer.
  twice: (answer) => answer.end(ok, () => answer.socket?.write('HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\n{"code":"1","msg":1}')),
};

/** Servers of organisations, with a book of the leads that each took, by our number. */
async function buyers(began) {
  const book = new Map();
  const seen = new Set();
  const take = (name, no) => {
    if (!book.has(name)) book.set(name, new Set());
    const first = !book.get(name).has(no);
    book.get(name).add(no);
    return first;
  };
  const behave = (name, no, answer) => {
    // The key is wrong for a while; the server takes nothing then.
    if (name === "locked" && Date.now() < began.at + (SECONDS * 1000) / 3) return answer.writeHead(401).end();
    if (name === "refuses") return answer.end(refused);
    // One lead in three is treated badly; with more, a breaker would stop the deliveries.
    const badly = createHash("md5").update(no).digest()[0] % 3 === 0;
    // Fails before it takes the lead, answers a query with that, and refuses the lead when it is sent again.
    if (name === "turns" && badly) return seen.has(no) ? answer.end(refused) : (seen.add(no), answer.writeHead(500).end());
    const manner = badly ? MANNERS[name] : undefined;
    return take(name, no) ? (manner ?? MANNERS.good)(answer) : answer.end(name === "unusual" ? unusual : known);
  };
  const server = http.createServer((request, answer) => {
    const pieces = [];
    request.on("data", (piece) => pieces.push(piece)).on("end", () => {
      const [, code, call] = request.url.split("/");
      const name = code.slice("stress-".length);
      const no = request.headers["idempotency-key"];
      answer.on("error", () => {});
      if (call === "match") return name === "silent" ? undefined : answer.end('{"code":"0000"}');
      if (call === "query") return answer.end(JSON.stringify({ has: book.get(name)?.has(no) ?? false }));
      return behave(name, no, answer);
    });
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { server, book, base: `http://127.0.0.1:${server.address().port}` };
}

/** The fields of the form of a plan. */
const FORM = ["id", "version", "name", "orgId", "subOrgId", "productId", "deliverMode", "saleMode", "maxBuyers", "priceCents", "priceRules", "methodPriority", "weight", "exposureWeight",
  "cities", "channelAllow", "channelDeny", "ruleSet", "dedupDays", "schedule", "outOfSchedule", "startsOn", "endsOn", "caps", "matchRequired", "remark"];

/** Organisations with servers, and two whose people open our page. */
const WITH_SERVERS = ["good", "unusual", "late", "fails", "cuts", "rubbish", "twice", "refuses", "silent", "locked", "turns"];
const ORGANISATIONS = [...WITH_SERVERS, "page", "crm"];
/** Organisations whose servers answer queries whether they have a lead. */
const QUERIED = ["cuts", "turns"];

function filling(base) {
  return [
    "UPDATE plan SET status = 'ended'",
    "UPDATE channel SET dedup_days = 0",
    ...ORGANISATIONS.map((name) => organisation(`stress-${name}`, CREDIT)),
    ...WITH_SERVERS.map((name) => delivery(`stress-${name}`, base, { timeout: TIMEOUT, asks: name === "silent", answers: QUERIED.includes(name) })),
    ...Array.from({ length: PLANS }, (_, i) => {
      const name = ORGANISATIONS[i % ORGANISATIONS.length];
      const mode = WITH_SERVERS.includes(name) ? "api" : "crm";
      return plan(`STRESS${i}`, `stress-${name}`, { mode, buyers: i % 3 === 0 ? 1 : 2 + (i % 4), price: 3000 + i * 10, priority: i % 7, asks: name === "silent" });
    }),
    `INSERT INTO cap_rule (subject_type, subject_id, "window", weekday, max_count, max_cents, created_at, updated_at)
       SELECT 'plan', id, CASE WHEN id % 2 = 0 THEN 'total' ELSE 'hour' END, NULL, CASE WHEN id % 3 = 0 THEN NULL ELSE ${CAP} END, CASE WHEN id % 3 = 0 THEN 100000 END, 0, 0
       FROM plan WHERE no LIKE 'STRESS%'`,
  ].map((statement) => `${statement};`);
}

/** An hour of the clock, of every zone that is whole hours from UTC, in milliseconds. */
const HOUR = 3_600_000;
const LIVE = "('queued','sending','retrying','unconfirmed','accepted')";
const OURS = "h.plan_id IN (SELECT id FROM plan WHERE no LIKE 'STRESS%')";

/** Faults, which must not exist: each with the statement that counts it. */
const FAULTS = {
  "plans over their cap": `SELECT COUNT(*) FROM (SELECT h.plan_id FROM push_record h JOIN cap_rule k ON k.subject_type = 'plan' AND k.subject_id = h.plan_id WHERE ${OURS} AND h.status IN ${LIVE}
    GROUP BY h.plan_id, k.id, k.max_count, k.max_cents, CASE WHEN k."window" = 'hour' THEN h.created_at / ${HOUR} ELSE 0 END
    HAVING COUNT(*) > k.max_count OR SUM(h.price_cents) > k.max_cents) AS found`,
  "caps that count otherwise": `SELECT COUNT(*) FROM (SELECT k.subject_id FROM cap_rule k JOIN plan p ON p.id = k.subject_id AND p.no LIKE 'STRESS%'
    WHERE k.subject_type = 'plan' AND (SELECT COALESCE(SUM(c.used_count), 0) FROM cap_counter c WHERE c.rule_id = k.id)
      <> (SELECT COUNT(*) FROM push_record h WHERE h.plan_id = k.subject_id AND h.status IN ${LIVE})) AS found`,
  "erased, and still told of": "SELECT COUNT(*) FROM applicant u WHERE u.status = 'erased' AND (u.phone_enc IS NOT NULL OR u.due_at IS NOT NULL OR EXISTS (SELECT 1 FROM push_record h WHERE h.user_id = u.id AND h.phone_mask <> '***'))",
  "sold twice to one organisation": `SELECT COUNT(*) FROM (SELECT org_id, phone_hash FROM push_record h WHERE ${OURS} AND status IN ${LIVE} GROUP BY org_id, phone_hash HAVING COUNT(*) > 1) AS found`,
  "more buyers of a person than one was promised": `SELECT COUNT(*) FROM (SELECT phone_hash FROM push_record h WHERE ${OURS} AND status IN ${LIVE} GROUP BY phone_hash
    HAVING COUNT(DISTINCT org_id) > MIN(most_buyers)) AS found`,
  "accepted and not paid": `SELECT COUNT(*) FROM push_record h WHERE ${OURS} AND h.status = 'accepted' AND NOT EXISTS (SELECT 1 FROM account_ledger l WHERE l.ref_type = 'push_record' AND l.ref_id = h.id AND l.amount_cents = -h.price_cents)`,
  "paid and not accepted": `SELECT COUNT(*) FROM account_ledger l JOIN push_record h ON h.id = l.ref_id AND l.ref_type = 'push_record' WHERE ${OURS} AND h.status NOT IN ('accepted', 'returned')`,
  "paid twice": `SELECT COUNT(*) FROM (SELECT l.ref_id FROM account_ledger l JOIN push_record h ON h.id = l.ref_id AND l.ref_type = 'push_record' WHERE ${OURS} AND l.amount_cents < 0 GROUP BY l.ref_id HAVING COUNT(*) > 1) AS found`,
  "given back, and not refunded once": `SELECT COUNT(*) FROM push_record h WHERE ${OURS} AND h.status = 'returned' AND (SELECT COUNT(*) FROM account_ledger l WHERE l.ref_type = 'push_record' AND l.ref_id = h.id AND l.amount_cents = h.price_cents) <> 1`,
  "refunded, and not given back": `SELECT COUNT(*) FROM account_ledger l JOIN push_record h ON h.id = l.ref_id AND l.ref_type = 'push_record' WHERE ${OURS} AND l.amount_cents > 0 AND h.status <> 'returned'`,
  "accepted without a clue": `SELECT COUNT(*) FROM push_record h WHERE ${OURS} AND h.status = 'accepted' AND NOT EXISTS (SELECT 1 FROM clue k WHERE k.push_id = h.id)`,
  "held otherwise than what is on its way": `SELECT COUNT(*) FROM org_account a WHERE a.org_id IN (SELECT id FROM organisation WHERE code LIKE 'stress-%')
    AND a.frozen_cents <> (SELECT COALESCE(SUM(h.price_cents), 0) FROM push_record h WHERE h.org_id = a.org_id AND h.status IN ('queued','sending','retrying','unconfirmed'))`,
  "past their credit": `SELECT COUNT(*) FROM org_account a WHERE a.org_id IN (SELECT id FROM organisation WHERE code LIKE 'stress-%') AND a.balance_cents - a.frozen_cents < -${CREDIT}`,
  "leads on their way that nobody tries": `SELECT COUNT(*) FROM push_record h WHERE ${OURS} AND status IN ('queued','sending','retrying')
    AND NOT EXISTS (SELECT 1 FROM outbox_item i WHERE i.kind = 'delivery' AND i.ref_id = h.id AND i.due_at IS NOT NULL)`,
  "applicants whom nobody looks after": "SELECT COUNT(*) FROM applicant WHERE status = 'matching' AND due_at IS NULL",
  "distributed, nothing sold, nothing due": `SELECT COUNT(*) FROM applicant u WHERE u.status = 'distributed' AND u.due_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM push_record h WHERE h.user_id = u.id AND (h.status = 'returned' OR h.status IN ${LIVE}))`,
  "leads still on their way": `SELECT COUNT(*) FROM push_record h WHERE ${OURS} AND status IN ('queued','sending','retrying')`,
  "leads in doubt that are still asked for": "SELECT COUNT(*) FROM outbox_item WHERE kind = 'delivery' AND state = 'unconfirmed'",
  "applicants still looked after": "SELECT COUNT(*) FROM applicant WHERE status = 'matching'",
  "applicants whose round was never finished": "SELECT COUNT(*) FROM applicant WHERE begun > 0 AND status <> 'erased'",
};
/** Counts the leads and applicants that are not finished, without rounds that wait for a plan to open. */
const PENDING = `SELECT (SELECT COUNT(*) FROM push_record h WHERE ${OURS} AND status IN ('queued','sending','retrying'))
  + (SELECT COUNT(*) FROM outbox_item WHERE kind = 'delivery' AND state = 'unconfirmed')
  + (SELECT COUNT(*) FROM applicant WHERE status <> 'erased' AND (status = 'matching' OR begun > 0 OR due_at <= %NOW%))`;
/** Counts the work that processes have or could take now, by kind and state. */
const WORK = `SELECT (SELECT COUNT(*) FROM outbox_item WHERE kind = 'delivery' AND due_at <= %NOW%) || ' ' || (SELECT COUNT(*) FROM outbox_item WHERE kind = 'delivery' AND state = 'sending')
  || ' ' || (SELECT COUNT(*) FROM applicant WHERE due_at <= %NOW%) || ' ' || (SELECT COUNT(*) FROM applicant WHERE status = 'matching')`;
const NO_WORK = "0 0 0 0";
/** Makes waiting retries, queries and rounds come due. No process has them, so leases do not change. */
const HURRY = [
  "UPDATE outbox_item SET due_at = %NOW% WHERE kind = 'delivery' AND state IN ('waiting', 'unconfirmed') AND due_at > %NOW%",
  "UPDATE applicant SET due_at = %NOW% WHERE status = 'completed' AND begun > 0 AND due_at > %NOW%",
];
/** Lets time pass for retries, queries and leases: each ends sooner by an outage. */
const PASS = [
  `UPDATE outbox_item SET due_at = due_at - ${OUTAGE} WHERE kind = 'delivery' AND due_at IS NOT NULL;`,
  `UPDATE applicant SET due_at = due_at - ${OUTAGE} WHERE status = 'matching';`,
  // A round that does not finish is put off by half an hour at most.
  `UPDATE applicant SET due_at = due_at - 3 * ${OUTAGE} WHERE status = 'completed' AND begun > 0;`,
];
/** Lists what is pending, by destination and state, to inspect a run. */
const OPEN = `SELECT destination, state, due_at <= %NOW% AS due, COUNT(*) FROM outbox_item WHERE kind = 'delivery' AND due_at IS NOT NULL GROUP BY 1, 2, 3
  UNION ALL SELECT 'applicants', status, due_at <= %NOW%, COUNT(*) FROM applicant WHERE due_at IS NOT NULL GROUP BY 1, 2, 3`;
const now = (sql) => sql.replaceAll("%NOW%", Date.now());

/** Compares the organisations' books with Leadlane's. */
function compare(book, database) {
  const ours = new Map(
    database.ask(`SELECT h.no || ' ' || substr(o.code, 8) || ' ' || h.status FROM push_record h JOIN organisation o ON o.id = h.org_id WHERE ${OURS}`).split("\n").filter(Boolean)
      .map((line) => line.split(" ")).map(([no, name, status]) => [no, { name, status }]),
  );
  let [unpaid, unknown, invented] = [0, 0, 0];
  for (const [name, taken] of book) {
    for (const no of taken) {
      const status = ours.get(no)?.status;
      if (status === undefined) unknown++;
      else if (["rejected", "duplicate", "failed", "cancelled"].includes(status)) unpaid++;
    }
    for (const [no, push] of ours) {
      if (push.name === name && ["accepted", "returned"].includes(push.status) && !taken.has(no)) invented++;
    }
  }
  return {
    "taken there and neither paid nor in doubt here": unpaid,
    "taken there and not known here": unknown,
    "paid here and not taken there": invented,
  };
}

async function stress(engine, processes) {
  const began = { at: Infinity };
  const { server, book, base } = await buyers(began);
  let found = 0;
  await on(engine, async ({ database, run, serve, env }) => {
    run("demo", "--days", "0", "--users", "0");
    database.run(filling(base));
    const first = await serve();
    const channels = await partners(first.port, first.token, 5);
    await first.stop();

    let over = false;
    const running = [];
    const start = async (slot) => {
      const port = await freePort();
      // The last of several has the wrong clock.
      const clock = slot > 0 && slot === processes - 1 ? fast : undefined;
      const child = spawn(binary, ["serve"], { env: { ...env, ...environmentOf(port), ...clock }, stdio: ["ignore", "ignore", process.env.STRESS_LOG ? "inherit" : "ignore"] });
      running[slot] = { port, child };
      await ready(port, child);
    };
    for (let slot = 0; slot < processes; slot++) await start(slot);
    began.at = Date.now();
    let [offered, lost, repeated] = [0, 0, 0];
    const acknowledged = [];
    const client = async () => {
      while (!over) {
        const number = offered++;
        // Every third applicant comes again, with other answers.
        const person = number % 3 === 2 ? number - 1 : number;
        const user = {
          phone: `1${String(5_000_000_000 + person)}`, name: "张小三", ip: "203.0.113.9", applicant: { age: 30 + (number % 3) },
          consent,
        };
        const body = JSON.stringify({ requestId: `s-${number}`, user });
        for (let tries = 0; tries < 4; tries++) {
          try {
            const { data } = await signed(running[(number + tries) % processes].port, "/open/user", channels[number % channels.length], body);
            acknowledged.push(data.no);
            break;
          } catch {
            // Cut off: whether it was accepted is not known, so it is sent again.
            if (tries === 0) lost++;
            else repeated++;
            await wait(150);
          }
        }
      }
    };
    const clients = Array.from({ length: CLIENTS }, client);
    const troubles = {
      async kill(slot) {
        running[slot].child.kill("SIGKILL");
        await start(slot);
      },
      async freeze(slot) {
        running[slot].child.kill("SIGSTOP");
        await wait(4000);
        running[slot].child.kill("SIGCONT");
      },
    };
    if (engine === POSTGRES) {
      troubles.sessions = () => database.ask("SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()");
      const restarts = process.env.LEADLANE_TEST_POSTGRES_RESTART;
      // The database ends as if it were killed, and recovers.
      if (restarts) troubles.restart = () => execFileSync(restarts, ["immediate"], { stdio: "ignore" });
    }
    const staff = await Promise.all(["operator", "admin"].map((name) => signIn(running[0].port, name)));
    const done = { edited: 0, repriced: 0, "given back": 0, erased: 0, hurried: 0 };
    const refusals = new Set();
    /** A call by a member of the staff on any process; undefined if it was refused or cut off. */
    const call = (person, method, path, body) =>
      send(running[Math.floor(Math.random() * processes)].port, method, `/api${path}`, body && JSON.stringify(body), staff[person]).then(({ data }) => data, ({ message }) => void refusals.add(message.replace(/\d+/g, "…").slice(0, 200)));
    const any = (list) => list[Math.floor(Math.random() * list.length)];
    /** Edits plans; every second time the price, which another person decides on. */
    const editor = async () => {
      for (let times = 0; !over; times++) {
        await wait(150);
        const row = any((await call(0, "POST", "/plan/page", { keyword: "STRESS", pageSize: PLANS }))?.list ?? []);
        const read = row && (await call(0, "GET", `/plan/${row.id}`));
        if (!read) continue;
        const form = Object.fromEntries(FORM.map((name) => [name, read[name]]));
        if (times % 2 === 0) {
          if (await call(0, "PUT", "/plan", { ...form, weight: 1 + (times % 5) })) done.edited++;
          continue;
        }
        const requested = await call(0, "PUT", "/plan", { ...form, priceCents: read.priceCents + 10 });
        const decision = requested && { id: read.id, version: requested.version, approve: true };
        // Decided in two tabs at once.
        const decided = decision && (await Promise.all([call(1, "PUT", "/plan/audit", decision), call(1, "PUT", "/plan/audit", decision)]));
        if (decided?.some(Boolean)) done.repriced++;
      }
    };
    /** Gives leads back, which another person decides on. */
    const returner = async () => {
      while (!over) {
        await wait(150);
        const push = any((await call(0, "POST", "/plan/push/page", { status: "accepted", keyword: "", pageSize: 50 }))?.list ?? []);
        const requested = push && (await call(0, "POST", "/plan/return", { pushId: push.id, reasonCode: "dead_number", note: "", proofFileIds: [] }));
        const decision = requested && { id: requested.id, version: requested.version, approve: true };
        const decided = decision && (await Promise.all([call(1, "PUT", "/plan/return/audit", decision), call(1, "PUT", "/plan/return/audit", decision)]));
        if (decided?.some(Boolean)) done["given back"]++;
      }
    };
    /** Erases people, those who were just sold among them. */
    const eraser = async () => {
      while (!over) {
        await wait(400);
        const user = any((await call(1, "POST", "/user/page", { status: "distributed", pageSize: 50 }))?.list ?? []);
        if (user && (await call(1, "DELETE", `/user/${user.id}`)) !== undefined) done.erased++;
      }
    };
    /** Makes retries come due while processes are killed; they would wait for a minute and longer. */
    const hurrier = async () => {
      while (!over) {
        await wait(2000);
        try {
          for (const statement of HURRY) await database.change(now(statement));
          done.hurried++;
        } catch {
          // The database restarts, or others write: the next turn repeats it.
        }
      }
    };
    clients.push(editor(), returner(), eraser(), hurrier());
    const happened = {};
    const turns = Object.keys(troubles);
    for (let turn = 0; Date.now() < began.at + SECONDS * 1000; turn++) {
      await wait(2500);
      const name = turns[turn % turns.length];
      await troubles[name](Math.floor(turn / turns.length) % processes);
      happened[name] = (happened[name] ?? 0) + 1;
    }
    over = true;
    await Promise.all(clients);
    console.log(`${engine.name}: ${acknowledged.length} of ${offered} applicants acknowledged; ${Object.entries({ ...happened, ...done }).map(([name, times]) => `${name} ${times}`).join(", ")}${processes > 1 && !fast ? "; no clock was wrong: libfaketime is not installed" : ""}`);
    if (process.env.STRESS_LOG) console.log([...refusals].join("\n"));
    const count = (sql) => Number(database.ask(sql));
    const pending = () => count(now(PENDING));
    const stop = () => Promise.all(running.map(({ child }) => end(child)));
    /** Waits until the processes can do no more: what is left waits for a breaker, or for the lease of one that was killed. */
    const idle = async () => {
      for (let [last, since] = ["", Date.now()]; last !== NO_WORK && Date.now() - since < 3000; await wait(100)) {
        const work = database.ask(now(WORK));
        if (work !== last) [last, since] = [work, Date.now()];
      }
    };
    let waited = 0;
    for (; waited < SETTLES && pending() > 0; waited++) await wait(1000);
    let outages = 0;
    for (await idle(); outages < OUTAGES && pending() > 0; outages++) {
      await stop();
      database.run(PASS);
      for (let slot = 0; slot < processes; slot++) await start(slot);
      await idle();
      if (process.env.STRESS_LOG) console.log(`outage ${outages + 1}: ${database.ask(now(OPEN))}`);
    }
    await stop();

    row("applicants, and leads that were bought", `${count("SELECT COUNT(*) FROM applicant")}, ${count(`SELECT COUNT(*) FROM push_record h WHERE ${OURS} AND status = 'accepted'`)}`);
    row("leads that were refused or given up", count(`SELECT COUNT(*) FROM push_record h WHERE ${OURS} AND status IN ('rejected','duplicate','failed','cancelled')`));
    row("seconds and outages until all had ended", `${waited}, ${outages}`);
    row("leads in doubt, left to people", count(`SELECT COUNT(*) FROM push_record h WHERE ${OURS} AND status = 'unconfirmed'`));
    row("calls cut off, and repeated more than once", `${lost}, ${repeated}`);
    const there = new Set(database.ask("SELECT no FROM applicant").split("\n"));
    const faults = {
      ...Object.fromEntries(Object.entries(FAULTS).map(([name, sql]) => [name, count(sql)])),
      ...compare(book, database),
      "acknowledged and not there": acknowledged.filter((no) => !there.has(no)).length,
    };
    for (const [name, number] of Object.entries(faults)) {
      found += number;
      row(name, number);
    }
    row("leadlane ledger verify", run("ledger", "verify").trim());
  });
  server.closeAllConnections();
  server.close();
  return found;
}

/** Stresses an engine in a process of its own; returns its output and whether its books agree. */
function apart(name) {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url)], { env: { ...process.env, STRESS_ENGINES: name }, stdio: ["ignore", "pipe", "inherit"] });
  const pieces = [];
  child.stdout.on("data", (piece) => pieces.push(piece));
  return new Promise((done) => child.once("close", (code) => done({ text: Buffer.concat(pieces).toString(), agrees: code === 0 })));
}

const ENGINES = { sqlite: () => stress(SQLITE, 1), postgres: () => stress(POSTGRES, 2) };
const engines = (process.env.STRESS_ENGINES ?? "sqlite,postgres").split(",").filter((name) => name !== "postgres" || process.env.LEADLANE_TEST_POSTGRES_URL);
if (engines.length === 0) throw new Error("LEADLANE_TEST_POSTGRES_URL names no server");
if (engines.length === 1) {
  const found = await ENGINES[engines[0]]();
  console.log(found === 0 ? "not guilty: no lead was sold twice, lost, unpaid, over a cap or past a balance" : `guilty: ${found} faults`);
  process.exitCode = found === 0 ? 0 : 1;
} else {
  for (const ended of engines.map(apart)) {
    const { text, agrees } = await ended;
    console.log(`\n${text.trimEnd()}`);
    if (!agrees) process.exitCode = 1;
  }
}
agent.destroy();
