// What `make dev` runs: serves a debug build and keeps it up to date.
//
// - A change in js/ is bundled into target/dev, from which the server takes pages, scripts and styles; open
//   pages reload themselves. Cargo has no part in it.
// - A change in crates/, src/, migrations/ or templates/ is compiled while the old server goes on; then it is replaced.
//
// ENGINE_FLAGS are cargo's, see .ci/engine. Settings of the program are taken from the environment.

import { spawn } from "node:child_process";
import { existsSync, rmSync, statSync, watch } from "node:fs";
import { dirname, join, resolve as absolute } from "node:path";
import { fileURLToPath } from "node:url";

import { watchTree } from "../js/app/watch.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const target = absolute(root, process.env["CARGO_TARGET_DIR"] || "target");
const binary = join(target, "debug/leadlane");
const web = join(target, "dev");
/** How long to wait for a server to end. */
const END_MS = 3000;

// A short drain, because the next server waits for it.
const settings = { LEADLANE_DRAIN: "1", ...process.env, LEADLANE_DEV_ASSETS: web };
const running = new Set();
let server;
/** When the program that serves now was compiled. */
let served;

function start(program, args, options = {}) {
  const child = spawn(program, args, { cwd: root, stdio: "inherit", ...options });
  running.add(child);
  child.once("exit", () => running.delete(child));
  child.once("error", (error) => fail(`${program}: ${error.message}`));
  return child;
}

const ended = (child) =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve(child.exitCode)
    : new Promise((resolve) => child.once("exit", resolve));

function fail(message) {
  console.error(`dev: ${message}`);
  finish(1);
}

function finish(status) {
  for (const child of running) child.kill("SIGTERM");
  process.exit(status);
}
process.once("SIGINT", () => finish(130));
process.once("SIGTERM", () => finish(143));

/** Bundles js/ now and after every change; done when the first result is there. */
async function bundle() {
  rmSync(web, { recursive: true, force: true });
  const args = ["js/app/build.mjs", "--dev", "--watch", "--compress", "none", "--out", web];
  const child = start(process.execPath, args, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  child.once("exit", (code) => fail(`the front end's build ended with ${code}`));
  await new Promise((resolve) => child.once("message", resolve));
}

/** Compiles; returns whether there is a program to start. */
async function compile() {
  const flags = (process.env["ENGINE_FLAGS"] ?? "").split(/\s+/).filter(Boolean);
  return (await ended(start("cargo", ["build", "--bin", "leadlane", "--quiet", ...flags]))) === 0;
}

const compiledAt = () => statSync(binary, { throwIfNoEntry: false })?.mtimeMs;

async function serve() {
  if (server) {
    server.kill("SIGTERM");
    const impatient = setTimeout(() => server.kill("SIGKILL"), END_MS);
    await ended(server);
    clearTimeout(impatient);
  }
  served = compiledAt();
  server = start(binary, ["serve"], { env: settings });
  const own = server;
  own.once("exit", (code) => {
    if (server === own && code) console.error(`dev: the server ended with ${code}; the next change starts it again`);
  });
}

let changed = false;
let wake = () => {};
const change = () => {
  changed = true;
  wake();
};
for (const folder of ["crates", "src", "migrations", "templates"]) {
  watchTree(join(root, folder), (path) => /(^|\/)\.|~$/.test(path), change);
}
// The program also reads these tables of the front end.
watchTree(join(root, "js/areas"), (path) => /\.\w+$/.test(path) && !/(^|\/)(routes|headings\.(zh|en))\.json$/.test(path), change);
const single = { ".": ["Cargo.toml", "Cargo.lock"], js: ["places.json", "terms.json"], "js/app": ["routes.json"] };
for (const [folder, names] of Object.entries(single)) {
  watch(join(root, folder), (_, name) => names.includes(name) && change());
}

const [, compiled] = await Promise.all([bundle(), compile()]);
if (!compiled) fail("the program does not compile");
const data = process.env["LEADLANE_DATA"] || join(root, "data");
if (!process.env["LEADLANE_DATABASE_URL"] && !existsSync(join(data, "leadlane.db"))) {
  if ((await ended(start(binary, ["demo"]))) !== 0) fail("there is no demo database");
}
await serve();

for (;;) {
  while (!changed) await new Promise((resolve) => (wake = resolve));
  // An editor writes a file in several steps.
  await new Promise((resolve) => setTimeout(resolve, 30));
  changed = false;
  const began = performance.now();
  const done = await compile();
  // If sources have changed meanwhile, they are compiled first.
  if (!done || changed || compiledAt() === served) continue;
  console.log(`program: built in ${((performance.now() - began) / 1000).toFixed(1)} s`);
  await serve();
}
