// What a page costs on this machine: `make bench`.
//
// Starts the release binary on a demo database of its own, requests the channel list as a signed-in
// user, and prints CPU time, latency, throughput, memory, start-up and bytes; beside them the
// same bundle's `render` called in a loop by Node on the same props, and the same HTML from plain
// components in such a loop. Ends with an error where a figure
// is over its bound; the figures depend on the machine.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { BUSY, cpuPerPage, fill, get, headersOf, load, median, ms, residentMb, signIn, start, stop } from "./server.mjs";
import { agent, at, conclude, figure, row } from "./support.mjs";
import { throttledVisit } from "./visit.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, "..");
const binary = process.env.LEADLANE_BINARY ?? join(root, "target/release/leadlane");
const pages = Number(process.env.BENCH_PAGES ?? 10_000);
const PAGE = "/channel/list";
/** Pages of different kinds, each seen for the first time on a slow machine. */
const VISITED = [PAGE, "/dashboard/workplace", "/admin/role-list", "/project/form", "/dashboard/monitor", "/visualization"];

const work = mkdtempSync(join(os.tmpdir(), "leadlane-bench-"));
const data = join(work, "data");
try {
  fill(binary, data);

  let run = await start(binary, data);
  console.log(`Leadlane, ${os.cpus()[0].model}, ${os.cpus().length} cores, V8 in the server, Node ${process.versions.node} as yardstick\n`);
  const token = await signIn(run);
  const headers = await headersOf(run, token);
  const page = await get(run.port, PAGE, headers);
  const props = /<script type="application\/json" id="props">(.*?)<\/script>/s.exec(page.body)[1];
  const rows = JSON.parse(props).data.list.data.list.rows.length;

  // The yardstick: the same function, the same props, in a bare loop.
  const web = join(work, "web");
  const built = spawnSync("node", [join(root, "js/app/build.mjs"), "--out", web], { encoding: "utf8" });
  if (built.status !== 0) throw new Error(built.stderr);
  writeFileSync(join(work, "props.json"), props);
  writeFileSync(join(work, "role.json"), (await get(run.port, `/role-data/${JSON.parse(props).roleData}`, headers)).body);
  writeFileSync(join(work, "root.html"), /<div id="root">(.*)<\/div>\s*<script type="application\/json" id="props">/s.exec(page.body)[1]);
  const inNode = (program, ...files) => {
    const { status, stdout, stderr } = spawnSync("node", [join(here, program), ...files.map((name) => join(work, name)), "4000"], { encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  };
  const loop = () => inNode("loop.mjs", "web/server.js", "props.json", "role.json");
  const plain = () => inNode("plain.mjs", "root.html");

  console.log(`${PAGE}, ${rows} rows, ${(page.bytes / 1024).toFixed(0)} KB document, cache off`);
  // Measured before and after, because the speed of the machine varies.
  const before = [loop(), plain()];
  const uncached = await cpuPerPage(run, PAGE, pages, headers);
  const node = (before[0].cpu + loop().cpu) / 2;
  const ofPlain = (before[1].cpu + plain().cpu) / 2;
  row(`CPU time a page, whole server process, ${BUSY} clients`, ms(uncached.cpu));
  row("CPU time a page, bare Node loop over the same render", ms(node));
  figure("ratio", uncached.cpu / node, { most: 1.5 }, (uncached.cpu / node).toFixed(2));
  row("CPU time a page, bare Node loop over the same HTML from plain components", ms(ofPlain));
  figure("ratio of the two loops", node / ofPlain, { most: 1.4 }, (node / ofPlain).toFixed(2));
  const afterMany = residentMb(run.pid);
  figure(`resident after ${pages} pages`, afterMany, { most: 150, unit: " MB" }, `${afterMany.toFixed(0)} MB`);
  await load(run.port, PAGE, pages, BUSY, headers);
  row(`resident after ${2 * pages} pages`, `${residentMb(run.pid).toFixed(0)} MB`);
  const metrics = (await get(run.port, "/metrics")).body;
  const metric = (name) => Number(new RegExp(`^leadlane_${name} (.*)$`, "m").exec(metrics)[1]);
  const inIsolate = metric("render_cpu_seconds_total") / metric("renders_total");
  row("CPU time of a render in its isolate", ms(inIsolate * 1000));
  row("renders a second in one isolate", (1 / inIsolate).toFixed(0));
  row("pages a second over HTTP, all cores shared with the client", uncached.perSecond.toFixed(0));

  const single = await cpuPerPage(run, PAGE, 2000, headers, 1);
  console.log("\nOne client at a time: an idle machine, its caches cold");
  row("CPU time a page, whole server process", ms(single.cpu));
  row("p50 / p99", `${ms(at(single.times, 0.5))} / ${ms(at(single.times, 0.99))}`);
  for (const name of ["viewer", "loads", "queue", "render", "document"]) row(`  ${name} (median)`, ms(median(single.parts[name])));
  const added = at(single.times, 0.5) - median(single.parts.render);
  figure("  added to the render itself at p50", added, { most: 2, unit: " ms" }, ms(added));
  const zipped = await cpuPerPage(run, PAGE, 4000, { ...headers, "accept-encoding": "gzip" });
  row("CPU time a page with gzip", ms(zipped.cpu));
  await stop(run);

  run = await start(binary, data, { LEADLANE_RENDER_MEMO: "64" });
  const cached = await cpuPerPage(run, PAGE, 4000, headers);
  console.log("\nRender memo on");
  row("CPU time a page", ms(cached.cpu));
  row("pages a second", cached.perSecond.toFixed(0));
  await stop(run);

  const starts = [];
  for (let i = 0; i < 5; i++) {
    run = await start(binary, data);
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
    ["CSS", sizes.css, 16],
  ])
    figure(name, bytes / 1024, { most, unit: " KB" }, `${(bytes / 1024).toFixed(1)} KB`);
  row("binary", `${(statSync(binary).size / 1024 / 1024).toFixed(0)} MB; assets ${readdirSync(join(web, "assets")).length} files`);

  console.log("\nSlow office machine (CPU/6, 1.6 Mbit/s, 150 ms, empty cache)");
  for (const path of VISITED) {
    const visit = await throttledVisit(`http://127.0.0.1:${run.port}`, token, path);
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
