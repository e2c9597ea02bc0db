// What a few misbehaving clients and servers cost all others on this machine: `make bench-edges`.
//
// Organisations whose servers hang, plans that are full, a flood for one plan, thousands of strangers who request a password
// reset, a frozen node. Each part says what it measures and what it should be, and the run ends with an error
// where a figure is not met. The figures depend on the machine: nothing else may run beside it.

import http from "node:http";
import os from "node:os";
import { PASSWORD, POSTGRES, SQLITE, TAKEN, agent, at, binary, buyer, conclude, delivery, environmentOf, figure, freePort, ms, on, organisation, pace, partners, person, plan, ready, row, send, signIn, signed } from "./support.mjs";
import { spawn } from "node:child_process";

const wait = (milliseconds) => new Promise((tick) => setTimeout(tick, milliseconds));
const CREDIT = 100_000_000_000;
const sorted = (times) => times.toSorted((a, b) => a - b);

/** Serves a fresh database in which only the plans of the statements run. */
async function lab(engine, statements, work) {
  await on(engine, async (place) => {
    place.run("demo", "--days", "0", "--users", "0");
    place.database.run(["UPDATE plan SET status = 'ended'", ...statements].map((statement) => `${statement};`));
    const served = await place.serve();
    const channels = await partners(served.port, served.token, 5);
    const count = async (path, body) => (await send(served.port, "POST", `/api${path}/page`, JSON.stringify({ ...body, pageSize: 1 }), served.token)).data.total;
    const offer = (number, port = served.port) => signed(port, "/open/user", channels[number % channels.length], person(number, { age: 30 }));
    await work({ ...place, ...served, channels, count, offer });
  });
}

/** Four servers hang while each should get 60 leads; a fifth answers. */
async function hanging(engine) {
  const arrived = new Map();
  const { base, close } = await buyer((name, _call, request, response) => {
    if (name !== "well") return;
    arrived.set(request.headers["idempotency-key"], performance.now());
    response.end(TAKEN);
  });
  const names = ["hangs1", "hangs2", "hangs3", "hangs4", "well"];
  const statements = names.flatMap((name) => [organisation(name, CREDIT), delivery(name, base, { timeout: 10_000 }), plan(`EDGE${name}`, name, { buyers: 5 })]);
  statements.push("INSERT INTO general_setting (key, value, version, updated_at, updated_by) SELECT 'lead.max_buyers', '5', 1, 0, MIN(id) FROM administrator");
  await lab(engine, statements, async ({ offer }) => {
    const began = performance.now();
    await Promise.all(Array.from({ length: 60 }, (_, number) => offer(number)));
    for (let waited = 0; waited < 600 && arrived.size < 60; waited++) await wait(100);
    figure("leads of a server that is well, beside four that hang: arrived", arrived.size, { least: 60 });
    const last = Math.max(...arrived.values()) - began;
    figure("the last of them after", last, { most: 15_000, unit: " ms" }, ms(last));
  });
  close();
}

/** A server hangs on the question whether it wants a lead; a plan after it takes all leads. */
async function hangingQuestion(engine, rate, seconds) {
  const { base, close } = await buyer((_name, call, _request, response) => {
    if (call !== "match") response.end(TAKEN);
  });
  const statements = [
    organisation("asked", CREDIT),
    delivery("asked", base, { timeout: 10_000, asks: true }),
    plan("EDGEASKED", "asked", { asks: true, priority: 1 }),
    organisation("page", CREDIT),
    plan("EDGEPAGE", "page", { mode: "crm", priority: 5 }),
  ];
  await lab(engine, statements, async ({ offer, count }) => {
    const began = performance.now();
    await pace(rate, seconds, offer);
    while ((await count("/user", { status: "matching" })) > 0) await wait(50);
    const took = (performance.now() - began) / 1000;
    const sold = Math.round((await count("/plan/push", { status: "accepted" })) / took);
    figure(`${rate} leads a second for ${seconds} s past a question that hangs: sold a second`, sold, { least: 150 });
  });
  close();
}

/** 400 plans are full, by count or by money: measures how many leads a second are matched without a buyer. */
async function full(engine, cap, columns, least) {
  let rate;
  const names = Array.from({ length: 25 }, (_, i) => `full${i}`);
  const statements = [
    ...names.map((name) => organisation(name, CREDIT)),
    ...Array.from({ length: 400 }, (_, i) => plan(`EDGE${i}`, names[i % 25], { mode: "crm", priority: i % 10 })),
    `INSERT INTO cap_rule (subject_type, subject_id, "window", weekday, max_count, max_cents, created_at, updated_at) SELECT 'plan', id, 'total', NULL, ${columns}, 0, 0 FROM plan WHERE no LIKE 'EDGE%'`,
  ];
  await lab(engine, statements, async ({ offer, count }) => {
    // Each plan takes one lead and is full then.
    await pace(200, 4, offer);
    while ((await count("/user", { status: "matching" })) > 0) await wait(50);
    const began = performance.now();
    await pace(300, 10, (number) => offer(1000 + number));
    while ((await count("/user", { status: "matching" })) > 0) await wait(20);
    rate = Math.round(3000 / ((performance.now() - began) / 1000));
    const name = `3,000 leads without a buyer, 400 plans full by ${cap}: looked after a second`;
    if (least === undefined) row(name, rate);
    else figure(name, rate, { least: Math.round(least) });
  });
  return rate;
}

/** The city of the plan that a flood is for, and those of the others. */
const [HOT, OTHER, MANY] = ["310100", "110100", "440100"];

/** The statements that let a plan sell in one city, below a cap that it does not reach. */
const inCity = (plans, city) => [
  `UPDATE plan SET cities = '["${city}"]' WHERE no LIKE '${plans}%'`,
  `INSERT INTO cap_rule (subject_type, subject_id, "window", weekday, max_count, max_cents, created_at, updated_at) SELECT 'plan', id, 'day', NULL, 100000, NULL, 0, 0 FROM plan WHERE no LIKE '${plans}%'`,
];

/** Makes `count` calls by `callers` at once; each caller waits for the answer before the next call. */
async function inParallel(count, callers, call) {
  let next = 0;
  const caller = async () => {
    while (next < count) await call(next++);
  };
  await Promise.all(Array.from({ length: callers }, caller));
}

/** One organisation with one plan sells about as much as 25 together; a flood for it does not delay another's leads. */
async function hot(engine) {
  const names = Array.from({ length: 25 }, (_, i) => `many${i}`);
  const statements = [
    ...["hot", "other", ...names].map((name) => organisation(name, CREDIT)),
    plan("EDGEHOT", "hot", { mode: "crm" }),
    plan("EDGEOTHER", "other", { mode: "crm" }),
    ...names.map((name) => plan(`EDGE${name}`, name, { mode: "crm" })),
    ...inCity("EDGEHOT", HOT),
    ...inCity("EDGEOTHER", OTHER),
    ...inCity("EDGEmany", MANY),
    `INSERT INTO general_setting (key, value, version, updated_at, updated_by) SELECT 'lead.method', '"weight"', 1, 0, MIN(id) FROM administrator`,
  ];
  await lab(engine, statements, async ({ port, channels, count, database }) => {
    let number = 0;
    const bring = (city) => signed(port, "/open/user", channels[number % channels.length], person(number++, { age: 30, city }));
    const all = async () => {
      while ((await count("/user", { status: "matching" })) > 0) await wait(20);
    };
    const took = { [HOT]: 0, [MANY]: 0 };
    // A database without statistics of its tables is slower, so the first leads are not measured.
    await inParallel(300, 32, (index) => bring(index % 2 ? HOT : MANY));
    await all();
    database.run([]);
    for (const city of [MANY, HOT, HOT, MANY]) {
      const began = performance.now();
      await inParallel(750, 32, () => bring(city));
      await all();
      took[city] += performance.now() - began;
    }
    const [one, many] = [HOT, MANY].map((city) => Math.round(1500 / (took[city] / 1000)));
    figure("leads sold to 1 organisation with 1 plan, to those of 25", one / many, { least: 0.7 }, `${(one / many).toFixed(2)}, ${one} to ${many} a second`);
    let over = false;
    const answers = [];
    const beside = (async () => {
      while (!over) {
        answers.push(bring(OTHER).then(({ time }) => time));
        await wait(333);
      }
    })();
    await inParallel(1500, 32, () => bring(HOT));
    await all();
    over = true;
    await beside;
    const calls = sorted(await Promise.all(answers));
    await all();
    const waits = database
      .ask("SELECT h.sold_at - u.created_at FROM push_record h JOIN applicant u ON u.id = h.user_id JOIN plan p ON p.id = h.plan_id WHERE p.no = 'EDGEOTHER' AND h.sold_at IS NOT NULL")
      .split("\n")
      .map(Number);
    const sold = at(sorted(waits), 0.95);
    figure("leads of another organisation beside 1,500 for one plan: sold", waits.length, { least: answers.length });
    figure("from intake to sale, p95", sold, { most: 100, unit: " ms" }, `${ms(sold)}, median ${ms(at(sorted(waits), 0.5))}`);
    row("until a call is answered beside them, median, p95", `${ms(at(calls, 0.5))}, ${ms(at(calls, 0.95))}`);
  });
}

/** Strangers ask for passwords to be reset, while staff sign in and open pages. */
async function resets(engine, total, atOnce) {
  await lab(engine, [], async ({ port }) => {
    const { token } = await signIn(port, "operator");
    const time = async (work) => {
      const began = performance.now();
      await work();
      return performance.now() - began;
    };
    const post = (path, body) => fetch(`http://127.0.0.1:${port}/api${path}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }).then((answer) => answer.json());
    const page = () => fetch(`http://127.0.0.1:${port}/workplace`, { headers: { cookie: `token=${token}` } }).then((answer) => answer.text());
    let over = false;
    const [entries, pages] = [[], []];
    let refused = 0;
    const staff = async () => {
      while (!over) {
        entries.push(await time(async () => ((await post("/admin/login", { username: "operator", password: PASSWORD })).code === "0000" ? 0 : refused++)));
        await wait(200);
      }
    };
    const reader = async () => {
      while (!over) {
        pages.push(await time(page));
        await wait(50);
      }
    };
    const beside = [staff(), staff(), reader(), reader()];
    // In a process of its own, so that the flood does not slow down the process that measures.
    const took = await time(() => new Promise((done) => spawn(process.execPath, [new URL(import.meta.url).pathname, "strangers", port, total, atOnce], { stdio: "inherit" }).once("exit", done)));
    over = true;
    await Promise.all(beside);
    const [entry, shown] = [entries, pages].map((times) => at(sorted(times), 0.95));
    figure(`${total} resets, ${atOnce} at once, took ${(took / 1000).toFixed(1)} s: signing in, p95`, entry, { most: 2000, unit: " ms" }, `${ms(entry)} of ${entries.length}`);
    figure("of them refused", refused, { most: 0 });
    figure("pages beside them, p95", shown, { most: 200, unit: " ms" }, `${ms(shown)} of ${pages.length}`);
  });
}

/** One of two nodes is frozen under load: measures the longest wait for an answer of the other, and for the sale of a lead. */
async function frozen() {
  const arrived = [];
  const { base, close } = await buyer((_name, _call, _request, response) => {
    arrived.push(performance.now());
    response.end(TAKEN);
  });
  const statements = [organisation("buys", CREDIT), delivery("buys", base, { timeout: 3000 }), plan("EDGEBUYS", "buys", {})];
  await lab(POSTGRES, statements, async ({ offer, env, count }) => {
    const port = await freePort();
    const second = spawn(binary, ["serve"], { env: { ...env, ...environmentOf(port) }, stdio: ["ignore", "ignore", "inherit"] });
    await ready(port, second);
    const slow = [];
    const answered = [];
    const ask = async (number) => {
      const [target, began] = [number % 2 && !second.frozen ? port : undefined, performance.now()];
      await offer(number, target).then(() => target ?? slow.push(performance.now() - began), () => {});
      answered.push(performance.now());
    };
    const offered = pace(100, 25, ask);
    await wait(5000);
    second.frozen = true;
    second.kill("SIGSTOP");
    const at = performance.now();
    await wait(15_000);
    const gap = Math.max(...[at, ...arrived.filter((time) => time > at), performance.now()].map((time, index, times) => (index ? time - times[index - 1] : 0)));
    const longest = Math.max(...slow);
    figure("one of two nodes frozen for 15 s: longest answer of the other", longest, { most: 10_000, unit: " ms" }, ms(longest));
    figure("the longest time without a lead sold", gap, { most: 10_000, unit: " ms" }, ms(gap));
    second.kill("SIGCONT");
    await offered;
    for (let waited = 0; waited < 200 && (await count("/user", { status: "matching" })) > 0; waited++) await wait(100);
    figure("applicants still looked after once it goes on again", await count("/user", { status: "matching" }), { most: 0 });
    row("calls of the buyer", arrived.length);
    second.kill("SIGKILL");
  });
  close();
}

/** Requests `total` resets, some of them at once. */
async function strangers(port, total, atOnce) {
  const crowd = new http.Agent({ keepAlive: true, maxSockets: atOnce });
  const ask = (number) =>
    new Promise((done) => {
      const body = JSON.stringify({ phone: `138${String(number).padStart(8, "0")}`, code: "123456", password: "Abcdefg1-xyz" });
      const headers = { "content-type": "application/json", "content-length": body.length };
      const request = http.request({ host: "127.0.0.1", port, path: "/api/admin/resetPassword", method: "POST", agent: crowd, headers }, (answer) => answer.resume().once("close", done));
      request.once("error", done).end(body);
    });
  const one = async () => {
    while (total-- > 0) await ask(total);
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  crowd.destroy();
}

if (process.argv[2] === "strangers") {
  await strangers(...process.argv.slice(3).map(Number));
  process.exit();
}

/** The parts to run; all if none is named. */
const wanted = process.env.EDGES?.split(",");
const part = async (name, work) => (wanted?.includes(name) ?? true) && work();

console.log(`Edges, ${os.cpus()[0].model}, ${os.cpus().length} cores`);
for (const engine of process.env.LEADLANE_TEST_POSTGRES_URL ? [SQLITE, POSTGRES] : [SQLITE]) {
  console.log(`\n${engine.name}`);
  await part("hanging", () => hanging(engine));
  await part("question", () => hangingQuestion(engine, 250, 10));
  await part("full", async () => {
    const counted = await full(engine, "count", "1, NULL");
    // A cap by money costs no more than one by count, within the difference between two runs.
    await full(engine, "money", "NULL, 3000", 0.8 * counted);
  });
  await part("resets", () => resets(engine, 3000, 300));
}
if (process.env.LEADLANE_TEST_POSTGRES_URL) {
  await part("hot", () => hot(POSTGRES));
  await part("frozen", frozen);
}
agent.destroy();
conclude();
