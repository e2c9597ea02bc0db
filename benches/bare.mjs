// Our channel list beside the same page of bare Bun and bare Node (bare/server.mjs) on one PostgreSQL, one worker each, in turns in
// one run: CPU of the whole process for a page, pages a second, memory.
//
// LEADLANE_BINARY names the program, LEADLANE_TEST_POSTGRES_URL the server of the database. BARE_SPEED_LEAST bounds our pages
// a second by those of Bun, 1.3 if it is not set; the figures depend on the machine.

import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { fill, get, headersOf, median, residentMb, round, signIn, spread, start, stop } from "./server.mjs";
import { agent, binary, conclude, figure, freePort, row } from "./support.mjs";

const here = join(dirname(fileURLToPath(import.meta.url)), "bare");
const PAGE = "/channel/list";
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 8);
const PAGES_A_ROUND = Number(process.env.BENCH_ROUND ?? 600);
const CLIENTS = 16;
const postgres = process.env.LEADLANE_TEST_POSTGRES_URL;
if (!postgres) throw new Error("LEADLANE_TEST_POSTGRES_URL names no server");

const work = mkdtempSync(join(os.tmpdir(), "leadlane-bare-"));
const name = `bare_${process.pid}`;
const url = new URL(postgres);
url.pathname = `/${name}`;
const running = new Set();

/** Starts a yardstick and waits for its first page. */
async function yardstick(runtime, token, html, headers) {
  const port = await freePort();
  const server = spawn(runtime, [join(here, "server.mjs")], {
    env: { ...process.env, BARE_PORT: String(port), BARE_TOKEN: token, BARE_HTML: html, BARE_DATABASE_URL: url.href },
    stdio: ["ignore", "ignore", "inherit"],
  });
  running.add(server);
  for (let tries = 0; ; tries++) {
    const page = await get(port, PAGE, headers).catch(() => null);
    if (page?.status === 200) return { port, pid: server.pid, bytes: page.bytes };
    if (tries > 1000 || server.exitCode !== null) throw new Error(`${runtime} serves no page`);
    await new Promise((tick) => setTimeout(tick, 10));
  }
}

try {
  if (spawnSync("npm", ["ci", "--loglevel=error"], { cwd: here, stdio: "inherit" }).status !== 0) throw new Error("the yardsticks could not be installed");
  execFileSync("psql", [postgres, "-qc", `CREATE DATABASE ${name}`]);
  const settings = { LEADLANE_DATABASE_URL: url.href, LEADLANE_ISOLATES: "1" };
  const data = join(work, "data");
  fill(binary, data, settings);
  const own = await start(binary, data, settings);
  running.add(own.server);
  const token = await signIn(own);
  const headers = await headersOf(own, token);
  const ours = await get(own.port, PAGE, headers);
  const html = join(work, "root.html");
  writeFileSync(html, /<div id="root">(.*)<\/div>\s*<script type="application\/json" id="props">/s.exec(ours.body)[1]);
  const runs = {
    Leadlane: { ...own, bytes: ours.bytes },
    Bun: await yardstick(join(here, "node_modules/.bin/bun"), token, html, headers),
    Node: await yardstick(process.execPath, token, html, headers),
  };
  console.log(`${PAGE}, ${CLIENTS} clients, ${os.cpus()[0].model}, ${os.cpus().length} cores shared with clients and PostgreSQL, Node ${process.versions.node}\n`);
  const measured = { Leadlane: [], Bun: [], Node: [] };
  const names = Object.keys(runs);
  for (let i = -2; i < ROUNDS; i++) {
    for (const one of i % 2 === 0 ? names : names.toReversed()) {
      const result = await round(runs[one], PAGE, PAGES_A_ROUND, CLIENTS, headers);
      // The first rounds warm up.
      if (i >= 0) measured[one].push(result);
    }
  }
  const middle = (one, key) => median(measured[one].map((result) => result[key]));
  for (const one of names) {
    row(one, `${spread(measured[one])}, ${residentMb(runs[one].pid).toFixed(0)} MB, ${(runs[one].bytes / 1024).toFixed(1)} KB`);
  }
  const ratio = middle("Leadlane", "perSecond") / middle("Bun", "perSecond");
  figure("pages a second, Leadlane / Bun", ratio, { least: Number(process.env.BARE_SPEED_LEAST ?? 1.3) }, ratio.toFixed(2));
  row("pages a second, Leadlane / Node", (middle("Leadlane", "perSecond") / middle("Node", "perSecond")).toFixed(2));
  running.delete(own.server);
  await stop(own);
} finally {
  for (const server of running) server.kill("SIGKILL");
  spawnSync("psql", [postgres, "-qc", `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`]);
  rmSync(work, { recursive: true, force: true });
}
agent.destroy();
conclude();
