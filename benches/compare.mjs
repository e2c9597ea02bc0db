// This program and an older one in turns, in one run: what a page costs each of them, on SQLite and PostgreSQL, with one
// isolate and two, plain and compressed as browsers ask. `make bench-compare BEFORE=commit` builds both.
//
// LEADLANE_BINARY and BENCH_BEFORE name the programs. Each has a database of its own with the demo's data. On PostgreSQL
// only if LEADLANE_TEST_POSTGRES_URL names a server. BENCH_CPU_MOST and BENCH_SPEED_LEAST bound the ratios now / before of
// CPU and of pages a second; the bench ends with an error where one is not met.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { fill, get, headersOf, median, round, signIn, spread, start, stop } from "./server.mjs";
import { agent, conclude, figure, row } from "./support.mjs";

const PAGES = (process.env.BENCH_PAGES_OF ?? "/channel/list,/plan/push-list,/user/list,/crm/clue").split(",");
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 6);
const PAGES_A_ROUND = Number(process.env.BENCH_ROUND ?? 400);
const CLIENTS = 16;
const COMPRESSED = "gzip, deflate, br, zstd";

const programs = { before: process.env.BENCH_BEFORE, now: process.env.LEADLANE_BINARY };
for (const [name, binary] of Object.entries(programs)) if (!binary) throw new Error(`no program is named for "${name}"`);

const work = mkdtempSync(join(os.tmpdir(), "leadlane-compare-"));
const postgres = process.env.LEADLANE_TEST_POSTGRES_URL;
const databases = [];
const running = new Set();

/** The settings of a program's database on an engine. */
function databaseOf(engine, name) {
  if (engine === "SQLite") return {};
  const url = new URL(postgres);
  url.pathname = `/compare_${name}_${process.pid}`;
  return { LEADLANE_DATABASE_URL: url.href };
}

function makeDatabase(engine, name) {
  const { LEADLANE_DATABASE_URL: url } = databaseOf(engine, name);
  if (!url) return;
  const database = new URL(url).pathname.slice(1);
  execFileSync("psql", [postgres, "-qc", `CREATE DATABASE ${database}`]);
  databases.push(database);
}

/** Prints a ratio, with its bound if there is one. */
function ratio(name, value, { most, least }) {
  const [bound] = [most, least].filter(Boolean).map(Number);
  if (bound === undefined) row(name, value.toFixed(2));
  else figure(name, value, most ? { most: bound } : { least: bound }, value.toFixed(2));
}

/** Both programs in turns on one page; `run.headers` signs in. */
async function compare(where, runs, page, encoding) {
  const measured = { before: [], now: [] };
  for (let i = -1; i < ROUNDS; i++) {
    for (const name of i % 2 === 0 ? ["now", "before"] : ["before", "now"]) {
      const result = await round(runs[name], page, PAGES_A_ROUND, CLIENTS, { ...runs[name].headers, ...(encoding && { "accept-encoding": encoding }) });
      // The first round warms up.
      if (i >= 0) measured[name].push(result);
    }
  }
  const of = (name, key) => measured[name].map((one) => one[key]);
  for (const name of ["before", "now"]) {
    const { bytes } = await get(runs[name].port, page, { ...runs[name].headers, ...(encoding && { "accept-encoding": encoding }) });
    row(`${page}, ${name}`, `${spread(measured[name])}, ${(bytes / 1024).toFixed(1)} KB`);
  }
  const cpuRatio = median(of("now", "cpu")) / median(of("before", "cpu"));
  const speedRatio = median(of("now", "perSecond")) / median(of("before", "perSecond"));
  ratio(`${page}: CPU a page, now / before, ${where}`, cpuRatio, { most: process.env.BENCH_CPU_MOST });
  ratio(`${page}: pages a second, now / before, ${where}`, speedRatio, { least: process.env.BENCH_SPEED_LEAST });
}

try {
  console.log(`${os.cpus()[0].model}, ${os.cpus().length} cores; lowest / median CPU of the process, best / median pages a second, ${ROUNDS} rounds of ${PAGES_A_ROUND} pages, ${CLIENTS} connections`);
  for (const engine of ["SQLite", ...(postgres ? ["PostgreSQL"] : [])]) {
    for (const [name, binary] of Object.entries(programs)) {
      makeDatabase(engine, name);
      fill(binary, join(work, engine, name), databaseOf(engine, name));
    }
    for (const isolates of (process.env.BENCH_ISOLATES ?? "1,2").split(",")) {
      const runs = {};
      for (const [name, binary] of Object.entries(programs)) {
        const run = await start(binary, join(work, engine, name), { ...databaseOf(engine, name), LEADLANE_ISOLATES: isolates });
        running.add(run);
        runs[name] = { ...run, headers: await headersOf(run, await signIn(run)) };
      }
      for (const encoding of [undefined, COMPRESSED]) {
        const where = `${engine}, ${isolates} isolate${isolates === "1" ? "" : "s"}, ${encoding ? "compressed" : "plain"}`;
        console.log(`\n${where}`);
        for (const page of PAGES) await compare(where, runs, page, encoding);
      }
      for (const run of running) await stop(run);
      running.clear();
    }
  }
} finally {
  for (const { server } of running) server.kill("SIGKILL");
  for (const database of databases) execFileSync("psql", [postgres, "-qc", `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`]);
  rmSync(work, { recursive: true, force: true });
}
agent.destroy();
conclude();
