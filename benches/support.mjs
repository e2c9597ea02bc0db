// What the benches of data share: a database of their own on either engine, the release binary
// serving it, channels that sign their calls, and figures with their bounds.

import { execFile, execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash, createHmac, randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import http from "node:http";
import net from "node:net";
import os from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
/** The program. */
export const binary = process.env.LEADLANE_BINARY ?? join(root, "target/release/leadlane");
/** The password of every account. */
export const PASSWORD = "Bench-Passw0rd";
export const DAY = 86_400_000;
const SHANGHAI = 8 * 3_600_000;

export const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
export const row = (name, value) => console.log(`  ${name.padEnd(62)} ${value}`);

/** Figures that are not what they should be, a line each. */
const missed = [];

/** Prints a figure and its bound, and notes it where it is over `most` or under `least`. `text` is the figure as it is printed. */
export function figure(name, value, { most, least, unit = "" }, text = `${value}${unit}`) {
  const bound = most === undefined ? `at least ${least}${unit}` : `at most ${most}${unit}`;
  const line = `${text} (${bound})`;
  row(name, line);
  // A figure that could not be computed is not met either.
  if (!(most === undefined ? value >= least : value <= most)) missed.push(`${name}: ${line}`);
}

/** Lists the figures that are not met and has the process end with an error if there are any. */
export function conclude() {
  if (missed.length === 0) return;
  console.error(`\nNot met:\n${missed.map((line) => `  ${line}`).join("\n")}`);
  process.exitCode = 1;
}
export const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
export const ms = (value) => `${value.toFixed(1)} ms`;
export const dayText = (time) => new Date(time + SHANGHAI).toISOString().slice(0, 10);
export const dayStart = (time) => Math.floor((time + SHANGHAI) / DAY) * DAY - SHANGHAI;

function environment(data, url) {
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("LEADLANE_")));
  return { ...own, LEADLANE_DATA: data, LEADLANE_DATABASE_URL: url, RUST_LOG: "warn,frame::api::refusal=error", LEADLANE_ISOLATES: "1", LEADLANE_PRIVATE_CALLS: "allow", LEADLANE_PASSWORD: PASSWORD };
}

const TICKS = Number(spawnSync("getconf", ["CLK_TCK"]).stdout) || 100;

/** CPU seconds a process has used, all threads. */
export function cpuSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** A free port. */
export function freePort() {
  return new Promise((done) => {
    const probe = net.createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => done(port));
    });
  });
}

/** Milliseconds that a call, the start or the end of a process may take: without a bound, a program that hangs would keep a bench for ever. */
const PATIENCE = 60_000;

/** Makes a request fail if nothing comes for that long. */
const bounded = (request, path) => request.setTimeout(PATIENCE, () => request.destroy(new Error(`${path} was not answered within ${PATIENCE / 1000} s`)));

/** Makes a call; anything but a success fails. */
export function send(port, method, path, body, headers = {}) {
  const began = performance.now();
  // As on our pages, each call has a key of its own, so that the same call in two tabs counts as two.
  const key = method === "GET" ? {} : { "idempotency-key": randomBytes(16).toString("hex") };
  return new Promise((done, fail) => {
    const request = http.request({ port, host: "127.0.0.1", method, path, agent, headers: { "content-type": "application/json", ...key, ...headers } }, (answer) => {
      const pieces = [];
      answer.on("data", (piece) => pieces.push(piece));
      answer.on("end", () => {
        const text = Buffer.concat(pieces).toString();
        const json = JSON.parse(text);
        if (json.code !== "0000") return fail(new Error(`${path} was answered ${text.slice(0, 300)}`));
        done({ data: json.data, time: performance.now() - began });
      });
    });
    request.on("error", fail);
    bounded(request, path).end(body);
  });
}

/** Makes a call, and returns the status and the text of the answer, whatever they are. `more` are further options of the request. */
export function ask(port, method, path, body, headers = {}, more = {}) {
  return new Promise((done, fail) => {
    const request = http.request({ port, host: "127.0.0.1", method, path, agent, headers, ...more }, (answer) => {
      const pieces = [];
      answer.on("data", (piece) => pieces.push(piece));
      answer.on("error", fail);
      answer.on("end", () => done({ status: answer.statusCode, headers: answer.headers, text: Buffer.concat(pieces).toString() }));
    });
    request.on("error", fail);
    bounded(request, path).end(body);
  });
}

/** Options for answers of a database: all numbers of a long run's applicants exceed Node's default of one megabyte. */
const ANSWER = { encoding: "utf8", maxBuffer: 256 << 20 };

const later = promisify(execFile);

const listed = (names) => names.map((name) => `'${name}'`).join(", ");

/** Lines of a name and a statement. */
function indexes(lines) {
  return lines.split("\n").filter((line) => line.includes("\t")).map((line) => {
    const [name, text] = line.trim().split("\t");
    return { name, text };
  });
}

export const SQLITE = {
  name: "SQLite",
  make(folder) {
    const file = join(folder, "leadlane.db");
    return {
      url: `sqlite:${file}`,
      run: (statements) => execFileSync("sqlite3", [file], { input: `.timeout 5000\nPRAGMA cache_size = -400000; BEGIN;\n${statements.join("\n")}\nCOMMIT; ANALYZE;`, stdio: ["pipe", "ignore", "inherit"] }),
      indexes: (tables) => indexes(execFileSync("sqlite3", ["-separator", "\t", file, `SELECT name, replace(sql, char(10), ' ') FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL AND tbl_name IN (${listed(tables)})`], ANSWER)),
      ask: (statement) => execFileSync("sqlite3", ["-cmd", ".timeout 10000", file, statement], ANSWER).trim(),
      // Asynchronous: this process goes on meanwhile.
      change: (statement) => later("sqlite3", ["-cmd", ".timeout 5000", file, statement]),
      size: () => statSync(file).size,
      drop() {},
    };
  },
};

export const POSTGRES = {
  name: "PostgreSQL",
  make() {
    const server = process.env.LEADLANE_TEST_POSTGRES_URL;
    const name = `leadlane_bench_${process.pid}`;
    const on = (url, text) => execFileSync("psql", ["--quiet", "--no-psqlrc", "--tuples-only", "--no-align", "--set", "ON_ERROR_STOP=1", url], { ...ANSWER, input: text });
    on(server, `CREATE DATABASE ${name};`);
    const url = server.replace(/\/[^/]*$/, `/${name}`);
    return {
      url,
      // The data is on the disk before anything is measured.
      run: (statements) => on(url, `BEGIN;\n${statements.join("\n")}\nCOMMIT;\nVACUUM ANALYZE;\nCHECKPOINT;`),
      // Leaves out the indexes of constraints, which have the names of these.
      indexes: (tables) => indexes(on(url, `SELECT i.indexname || chr(9) || i.indexdef FROM pg_indexes i WHERE i.tablename IN (${listed(tables)}) AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conname = i.indexname);`)),
      ask: (statement) => on(url, `${statement};`).trim(),
      change: (statement) => later("psql", ["--quiet", "--no-psqlrc", "--set", "ON_ERROR_STOP=1", "--command", statement, url]),
      size: () => Number(on(url, "SELECT pg_database_size(current_database());")),
      drop: () => on(server, `DROP DATABASE ${name} WITH (FORCE);`),
    };
  },
};

/** Where a process listens. */
export const environmentOf = (port) => ({ LEADLANE_LISTEN: `127.0.0.1:${port}` });

const hasEnded = (child) => child.exitCode !== null || child.signalCode !== null;

/** Processes that end with this one, also where it fails. */
const started = new Set();
process.on("exit", () => started.forEach((child) => child.kill("SIGKILL")));

/** Waits until a process that was started answers on its port. */
export async function ready(port, child) {
  started.add(child);
  for (const began = Date.now(); Date.now() - began < PATIENCE; await new Promise((tick) => setTimeout(tick, 20))) {
    if (hasEnded(child)) throw new Error(`the program ended at its start: ${child.signalCode ?? `exit code ${child.exitCode}`}`);
    const answers = await new Promise((done) => {
      const request = http.get({ port, host: "127.0.0.1", path: "/healthz", timeout: 1000 }, (answer) => done(answer.resume().statusCode === 200));
      request.on("timeout", () => request.destroy()).on("error", () => done(false));
    });
    if (answers) return;
  }
  child.kill("SIGKILL");
  throw new Error(`the program did not answer within ${PATIENCE / 1000} s of its start`);
}

/** Sends a process a signal, unless it has ended, and waits until it ends. */
export async function end(child, signal = "SIGTERM") {
  if (hasEnded(child)) return;
  let late;
  await new Promise((done, fail) => {
    late = setTimeout(() => {
      child.kill("SIGKILL");
      fail(new Error(`the program did not end within ${PATIENCE / 1000} s of ${signal}`));
    }, PATIENCE);
    child.once("exit", done).kill(signal);
  }).finally(() => clearTimeout(late));
}

/** The benches make more calls than the default limits allow: sets the limits to their maximum. */
const WITHOUT_LIMITS = { changes: [{ key: "security.reads_minute", value: 1_000_000, version: 0 }, { key: "security.partner_second", value: 100_000, version: 0 }] };

/** Lifts the rate limits; of several servers on one database, the first does it. */
const liftLimits = (port, headers) => send(port, "PUT", "/api/setting", JSON.stringify(WITHOUT_LIMITS), headers).catch(() => {});

/** Signs in; returns the headers of this account's calls. */
export async function signIn(port, username) {
  const { data } = await send(port, "POST", "/api/admin/login", JSON.stringify({ username, password: PASSWORD }));
  return { token: data.token };
}

/** Runs something on a fresh database of an engine; nothing of it is left. */
export async function on(engine, work) {
  const folder = mkdtempSync(join(os.tmpdir(), "leadlane-bench-"));
  const database = engine.make(folder);
  const env = environment(folder, database.url);
  let server;
  const run = (...command) => {
    const ended = spawnSync(binary, command, { env, encoding: "utf8" });
    if (ended.status !== 0) throw new Error(ended.stderr);
    return ended.stdout;
  };
  const serve = async () => {
    const port = await freePort();
    server = spawn(binary, ["serve"], { env: { ...env, ...environmentOf(port) }, stdio: ["ignore", "ignore", "inherit"] });
    await ready(port, server);
    const token = await signIn(port, "admin");
    await liftLimits(port, token);
    const stop = () => end(server);
    return { port, token, stop, pid: server.pid };
  };
  try {
    await work({ database, run, serve, env });
  } finally {
    server?.kill("SIGKILL");
    database.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Some live channels that call from anywhere, with their secrets. */
export async function partners(port, token, count) {
  await send(port, "POST", "/api/agreement", JSON.stringify({ ...AGREEMENT, validFrom: 0 }), token);
  const page = await send(port, "POST", "/api/channel/page", JSON.stringify({ mode: "live", status: "enabled" }), token);
  const found = [];
  for (const { id, version, appKey } of page.data.list.slice(0, count)) {
    const channel = (await send(port, "GET", `/api/channel/${id}`, undefined, token)).data;
    const edit = Object.fromEntries(["id", "version", "name", "type", "settleMode", "unitPriceCents", "shareBp", "landingUrl", "callbackUrl", "dedupDays", "ownerAdminId", "remark"].map((name) => [name, channel[name]]));
    const saved = (await send(port, "PUT", "/api/channel", JSON.stringify({ ...edit, caps: [], filters: null, ipAllow: [] }), token)).data;
    const { data } = await send(port, "PUT", "/api/channel/secret", JSON.stringify({ id, version: saved.version }), token);
    found.push({ appKey, secret: data.appSecret });
  }
  return found;
}

/** Makes a signed call of a channel. */
export function signed(port, path, { appKey, secret }, body) {
  const [timestamp, nonce] = [Date.now(), randomBytes(12).toString("hex")];
  const text = ["POST", path, appKey, timestamp, nonce, createHash("sha256").update(body).digest("hex")].join("\n");
  const sign = createHmac("sha256", secret).update(text).digest("hex");
  return send(port, "POST", `/api${path}?appId=${appKey}&timestamp=${timestamp}&nonce=${nonce}&sign=${sign}`, body);
}

/** The agreement that the applicants of benches consent to, which `partners` enters. */
const AGREEMENT = { code: "LOAN", edition: "3", name: "授权书", text: "授权书全文" };

/** A consent to it. */
export const consent = { agreement: "LOAN", version: "3", textHash: createHash("sha256").update(AGREEMENT.text).digest("hex"), allPartners: true };

/** The body with which a channel sends an applicant; `applicant` has their answers. */
export const person = (number, applicant) =>
  JSON.stringify({
    requestId: `b-${number}`,
    user: {
      phone: `1${String(3_000_000_000 + number)}`,
      name: "张小三",
      province: "上海",
      ip: `203.0.${number % 250}.9`,
      userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X)",
      consent,
      applicant,
    },
  });

/** Begins a piece of work so many times a second, however long each takes; ends when all have. */
export async function pace(rate, seconds, work) {
  const begun = [];
  const began = performance.now();
  for (let number = 0; number < rate * seconds; number++) {
    const due = began + (number * 1000) / rate;
    if (performance.now() < due) await new Promise((tick) => setTimeout(tick, due - performance.now()));
    begun.push(work(number));
  }
  await Promise.all(begun);
}

/** A server of organisations: calls `answer(name, call, request, response)` for `/name/call`. */
export async function buyer(answer) {
  const server = http.createServer((request, response) => {
    const [, name, call] = request.url.split("/");
    request.resume().on("end", () => answer(name, call, request, response));
    response.on("error", () => {});
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { base: `http://127.0.0.1:${server.address().port}`, close };
}

/** The answer of a server that takes a lead. */
export const TAKEN = '{"code":"0000","data":{"orderNo":"A"}}';

/** The id of an organisation by its code, in a statement. */
export const organisationId = (code) => `(SELECT id FROM organisation WHERE code = '${code}')`;

/** The statement that adds an organisation which may owe so many fen. */
export const organisation = (code, credit) =>
  `INSERT INTO organisation (code, name, short_name, type, licence_no, licence_expire_on, bill_mode, credit_limit_cents, mode, status, version, created_at, updated_at)
   VALUES ('${code}', 'bench ${code}', '${code}', 'other', 'BENCH', '2099-12-31', 'credit', ${credit}, 'live', 'active', 1, 0, 0)`;

/** The statement that sets the addresses of an organisation's server, with its code as path. `asks`: it is asked before a lead is sent; `answers`: it answers queries afterwards. */
export const delivery = (code, base, { timeout, retries = 1, asks = false, answers = false }) =>
  `INSERT INTO org_api_config (org_id, match_url, apply_url, query_url, query_ok_expr, query_none_expr, crypto, field_map, match_ok_expr, apply_ok_expr, timeout_ms, retry_max, status, version, created_at, updated_at)
   VALUES (${organisationId(code)}, ${asks ? `'${base}/${code}/match'` : "NULL"}, '${base}/${code}/apply', ${answers ? `'${base}/${code}/query', 'has == true', 'has == false'` : "NULL, '', ''"},
   'none', '{"phone":"mobile","leadNo":"leadNo"}', 'code == "0000"', 'code == "0000"', ${timeout}, ${retries}, 'enabled', 1, 0, 0)`;

/** The statement that adds a running plan. */
export const plan = (no, code, { mode = "api", buyers = 1, price = 3000, priority = 1, asks = false }) =>
  `INSERT INTO plan (no, name, org_id, deliver_mode, sale_mode, max_buyers, price_cents, method_priority, weight, exposure_weight,
   dedup_days, out_of_schedule, match_required, status, created_at, updated_at) VALUES ('${no}', '${no}', ${organisationId(code)}, '${mode}', '${buyers > 1 ? "shared" : "exclusive"}', ${buyers}, ${price}, ${priority}, 1, 1,
   30, 'skip', ${asks ? 1 : 0}, 'running', 0, 0)`;
