// What a page costs on this machine: `make bench`.
//
// Starts the release binary on a demo database of its own, requests the channel list as a signed-in
// user, and prints CPU time, latency, throughput, memory, start-up and bytes; beside them the
// same bundle's `render` called in a loop by Node on the same props. Ends with an error where a figure
// is over its bound; the figures depend on the machine.

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import http from "node:http";
import net from "node:net";
import os from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { agent, conclude, cpuSeconds, figure, row } from "./support.mjs";
import { throttledVisit } from "./visit.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, "..");
const binary = process.env.LEADLANE_BINARY ?? join(root, "target/release/leadlane");
const pages = Number(process.env.BENCH_PAGES ?? 10_000);
const PASSWORD = "Bench-Passw0rd";
const PAGE = "/channel/list";
/** Pages of different kinds, each seen for the first time on a slow machine. */
const VISITED = [PAGE, "/dashboard/workplace", "/admin/role-list", "/project/form", "/dashboard/monitor", "/visualization"];

/** Environment of a server on a data folder; nothing of the caller's settings leaks in. */
function environment(data, extra = {}) {
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("LEADLANE_")));
  return { ...own, LEADLANE_DATA: data, RUST_LOG: "warn", LEADLANE_PASSWORD: PASSWORD, ...extra };
}

function freePort() {
  return new Promise((done) => {
    const probe = net.createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => done(port));
    });
  });
}

/** Starts a server and waits for its first page; returns the process and how long that took. */
async function start(data, extra) {
  const port = await freePort();
  const began = performance.now();
  const server = spawn(binary, ["serve"], {
    env: environment(data, { LEADLANE_LISTEN: `127.0.0.1:${port}`, ...extra }),
    stdio: ["ignore", "ignore", "inherit"],
  });
  for (;;) {
    const page = await get(port, "/login").catch(() => null);
    if (page?.status === 200 && page.body.includes("<form")) break;
    if (performance.now() - began > 20_000) throw new Error("the server did not answer within 20 s");
    await new Promise((tick) => setTimeout(tick, 2));
  }
  return { server, port, pid: server.pid, firstPage: performance.now() - began };
}

async function stop({ server }) {
  const gone = new Promise((done) => server.once("exit", done));
  server.kill("SIGTERM");
  await gone;
}

function get(port, path, headers = {}) {
  return new Promise((done, fail) => {
    const request = http.get({ host: "127.0.0.1", port, path, headers }, (response) => {
      const chunks = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () => {
        const raw = Buffer.concat(chunks);
        done({ status: response.statusCode, headers: response.headers, bytes: raw.length, body: raw.toString() });
      });
      response.on("error", fail);
    });
    request.on("error", fail);
  });
}

function residentMb(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;
}

/**
 * Requests a page again and again on one kept connection, with as little work as possible, because
 * the client shares the machine with the server that it measures.
 */
function client(port, headers) {
  let fail;
  const socket = net.connect(port, "127.0.0.1").setNoDelay().on("error", (error) => fail(error));
  const request = `GET ${PAGE} HTTP/1.1\r\nhost: 127.0.0.1\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n`;
  const ask = () =>
    new Promise((done, failed) => {
      fail = failed;
      let head = null;
      let missing = 0;
      const take = (chunk) => {
        if (head === null) {
          const end = chunk.indexOf("\r\n\r\n");
          head = chunk.latin1Slice(0, end);
          missing = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1]) - (chunk.length - end - 4);
          if (!head.startsWith("HTTP/1.1 200")) return fail(new Error(`${PAGE} answered ${head.slice(0, 40)}`));
        } else {
          missing -= chunk.length;
        }
        if (missing > 0) return;
        socket.off("data", take);
        done(head);
      };
      socket.on("data", take);
      socket.write(request);
    });
  return { ask, end: () => socket.destroy() };
}

/** Requests a page `count` times over `clients` kept connections. */
async function load(port, count, clients, headers) {
  const times = [];
  const parts = {};
  let requested = 0;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      const { ask, end } = client(port, headers);
      while (requested++ < count) {
        const sent = performance.now();
        const head = await ask();
        times.push(performance.now() - sent);
        if (clients > 1) continue;
        for (const [, name, time] of head.matchAll(/(\w+);dur=([\d.]+)/g)) (parts[name] ??= []).push(Number(time));
      }
      end();
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  return { times: times.sort((a, b) => a - b), parts, perSecond: count / seconds };
}

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
const median = (list) => at([...list].sort((a, b) => a - b), 0.5);
const ms = (value) => `${value.toFixed(3)} ms`;

/** Clients that keep every core busy: the cost of a page matters under load. */
const BUSY = 8;

/** CPU time a page costs the whole server process. */
async function cpuPerPage(run, count, headers, clients = BUSY) {
  await load(run.port, Math.min(1000, count), clients, headers);
  const before = cpuSeconds(run.pid);
  const result = await load(run.port, count, clients, headers);
  return { ...result, cpu: ((cpuSeconds(run.pid) - before) * 1000) / count };
}

const work = mkdtempSync(join(os.tmpdir(), "leadlane-bench-"));
const data = join(work, "data");
try {
  const demo = spawnSync(binary, ["demo"], { env: environment(data), encoding: "utf8" });
  if (demo.status !== 0) throw new Error(demo.stderr);

  let run = await start(data);
  console.log(`Leadlane, ${os.cpus()[0].model}, ${os.cpus().length} cores, V8 in the server, Node ${process.versions.node} as yardstick\n`);
  const login = await fetch(`http://127.0.0.1:${run.port}/api/admin/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "admin", password: PASSWORD }),
  }).then((answer) => answer.json());
  // The bench makes more calls than the default limit allows.
  await fetch(`http://127.0.0.1:${run.port}/api/setting`, {
    method: "PUT",
    headers: { "content-type": "application/json", token: login.data.token },
    body: JSON.stringify({ changes: [{ key: "security.reads_minute", value: 1_000_000, version: 0 }] }),
  });
  const headers = { cookie: `token=${login.data.token}; locale=zh-CN` };
  const page = await get(run.port, PAGE, headers);
  const props = /<script type="application\/json" id="props">(.*?)<\/script>/s.exec(page.body)[1];
  const rows = JSON.parse(props).data.list.data.list.length;

  // The yardstick: the same function, the same props, in a bare loop.
  const web = join(work, "web");
  const built = spawnSync("node", [join(root, "js/app/build.mjs"), "--out", web], { encoding: "utf8" });
  if (built.status !== 0) throw new Error(built.stderr);
  writeFileSync(join(work, "props.json"), props);
  writeFileSync(join(work, "role.json"), (await get(run.port, `/role-data/${JSON.parse(props).roleData}`, headers)).body);
  const loop = () =>
    JSON.parse(spawnSync("node", [join(here, "loop.mjs"), join(web, "server.js"), join(work, "props.json"), join(work, "role.json"), "4000"], { encoding: "utf8" }).stdout);

  console.log(`${PAGE}, ${rows} rows, ${(page.bytes / 1024).toFixed(0)} KB document, cache off`);
  // Measured before and after, because the speed of the machine varies.
  const before = loop();
  const uncached = await cpuPerPage(run, pages, headers);
  const node = (before.cpu + loop().cpu) / 2;
  row(`CPU time a page, whole server process, ${BUSY} clients`, ms(uncached.cpu));
  row("CPU time a page, bare Node loop over the same render", ms(node));
  figure("ratio", uncached.cpu / node, { most: 1.5 }, (uncached.cpu / node).toFixed(2));
  const afterMany = residentMb(run.pid);
  figure(`resident after ${pages} pages`, afterMany, { most: 150, unit: " MB" }, `${afterMany.toFixed(0)} MB`);
  await load(run.port, pages, BUSY, headers);
  row(`resident after ${2 * pages} pages`, `${residentMb(run.pid).toFixed(0)} MB`);
  const metrics = (await get(run.port, "/metrics")).body;
  const metric = (name) => Number(new RegExp(`^leadlane_${name} (.*)$`, "m").exec(metrics)[1]);
  const inIsolate = metric("render_cpu_seconds_total") / metric("renders_total");
  row("CPU time of a render in its isolate", ms(inIsolate * 1000));
  row("renders a second in one isolate", (1 / inIsolate).toFixed(0));
  row("pages a second over HTTP, all cores shared with the client", uncached.perSecond.toFixed(0));

  const single = await cpuPerPage(run, 2000, headers, 1);
  console.log("\nOne client at a time: an idle machine, its caches cold");
  row("CPU time a page, whole server process", ms(single.cpu));
  row("p50 / p99", `${ms(at(single.times, 0.5))} / ${ms(at(single.times, 0.99))}`);
  for (const name of ["viewer", "loads", "queue", "render", "document"]) row(`  ${name} (median)`, ms(median(single.parts[name])));
  const added = at(single.times, 0.5) - median(single.parts.render);
  figure("  added to the render itself at p50", added, { most: 2, unit: " ms" }, ms(added));
  const zipped = await cpuPerPage(run, 4000, { ...headers, "accept-encoding": "gzip" });
  row("CPU time a page with gzip", ms(zipped.cpu));
  await stop(run);

  run = await start(data, { LEADLANE_RENDER_MEMO: "64" });
  const cached = await cpuPerPage(run, 4000, headers);
  console.log("\nRender memo on");
  row("CPU time a page", ms(cached.cpu));
  row("pages a second", cached.perSecond.toFixed(0));
  await stop(run);

  const starts = [];
  for (let i = 0; i < 5; i++) {
    run = await start(data);
    starts.push(run.firstPage);
    if (i < 4) await stop(run);
  }
  console.log("\nStart");
  figure("process start to first page (median of 5)", median(starts), { most: 500, unit: " ms" }, `${median(starts).toFixed(0)} ms`);

  console.log("\nFirst visit, compressed (brotli)");
  const sizes = { js: 0, css: 0 };
  const document = (await get(run.port, PAGE, headers)).body;
  for (const name of new Set([...document.matchAll(/\/assets\/([\w.-]+)/g)].map((match) => match[1]))) {
    const asset = await get(run.port, `/assets/${name}`, { "accept-encoding": "br" });
    sizes[name.endsWith(".css") ? "css" : "js"] += asset.bytes;
  }
  for (const [name, bytes, most] of [
    ["JavaScript", sizes.js, 130],
    ["CSS", sizes.css, 14],
  ])
    figure(name, bytes / 1024, { most, unit: " KB" }, `${(bytes / 1024).toFixed(1)} KB`);
  row("binary", `${(statSync(binary).size / 1024 / 1024).toFixed(0)} MB; assets ${readdirSync(join(web, "assets")).length} files`);

  console.log("\nSlow office machine (CPU/6, 1.6 Mbit/s, 150 ms, empty cache)");
  for (const path of VISITED) {
    const visit = await throttledVisit(`http://127.0.0.1:${run.port}`, login.data.token, path);
    if (!visit) {
      row("not measured", "no Chromium on this machine");
      break;
    }
    console.log(path);
    for (const [name, { value, text, ...bound }] of Object.entries(visit)) {
      if (bound.most === undefined) row(name, text);
      else figure(`${path}: ${name}`, value, bound, text);
    }
  }
  await stop(run);
} finally {
  rmSync(work, { recursive: true, force: true });
}
agent.destroy();
conclude();
