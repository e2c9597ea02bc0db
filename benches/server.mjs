// A server of a binary to measure, and the load that is put on it.

import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import http from "node:http";
import net from "node:net";
import { PASSWORD, at, cpuSeconds, end, freePort } from "./support.mjs";

/** Environment of a server on a data folder; nothing of the caller's settings leaks in. */
function environment(data, extra = {}) {
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("LEADLANE_")));
  return { ...own, LEADLANE_DATA: data, RUST_LOG: "warn", ...extra };
}

/** Fills a new database with the demo's data. */
export function fill(binary, data, extra) {
  // Older programs take the password on the command line.
  const isOld = spawnSync(binary, ["demo", "--help"], { encoding: "utf8" }).stdout.includes("--password");
  const args = isOld ? ["--password", PASSWORD] : [];
  const settings = isOld ? {} : { LEADLANE_PASSWORD: PASSWORD };
  const demo = spawnSync(binary, ["demo", ...args], { env: environment(data, { ...settings, ...extra }), encoding: "utf8" });
  if (demo.status !== 0) throw new Error(demo.stderr);
}

/** Starts a server and waits for its first page; returns the process and how long that took. */
export async function start(binary, data, extra) {
  const port = await freePort();
  const began = performance.now();
  const server = spawn(binary, ["serve"], {
    env: environment(data, { LEADLANE_LISTEN: `127.0.0.1:${port}`, ...extra }),
    stdio: ["ignore", "ignore", "inherit"],
  });
  for (;;) {
    const page = await get(port, "/login").catch(() => null);
    if (page?.status === 200 && page.body.includes("<form")) break;
    if (server.exitCode !== null) throw new Error(`the server ended with ${server.exitCode}`);
    if (performance.now() - began > 20_000) {
      server.kill("SIGKILL");
      throw new Error("the server did not answer within 20 s");
    }
    await new Promise((tick) => setTimeout(tick, 2));
  }
  return { server, port, pid: server.pid, firstPage: performance.now() - began };
}

/** Signs the administrator in, and lifts the limit of reads: a bench makes more calls than it allows. */
export async function signIn({ port }) {
  const call = (method, path, body, headers) =>
    fetch(`http://127.0.0.1:${port}/api${path}`, { method, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) }).then((answer) => answer.json());
  const { data } = await call("POST", "/admin/login", { username: "admin", password: PASSWORD });
  await call("PUT", "/setting", { changes: [{ key: "security.reads_minute", value: 1_000_000, version: 0 }] }, { token: data.token });
  return data.token;
}

/** The headers of a page's request from a browser that was here before: it has the style sheet, so that the document links it. */
export async function headersOf(run, token) {
  const sheet = /\/assets\/([\w.-]+\.css)/.exec((await get(run.port, "/login")).body)[1];
  return { cookie: `token=${token}; locale=zh-CN; sheet=${sheet}` };
}

export const stop = ({ server }) => end(server);

export function get(port, path, headers = {}) {
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

export function residentMb(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;
}

/**
 * Requests a page again and again on one kept connection, with as little work as possible, because
 * the client shares the machine with the server that it measures.
 */
function client(port, page, headers) {
  let fail;
  const socket = net.connect(port, "127.0.0.1").setNoDelay().on("error", (error) => fail(error));
  const request = `GET ${page} HTTP/1.1\r\nhost: 127.0.0.1\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n`;
  const ask = () =>
    new Promise((done, failed) => {
      fail = failed;
      let head = null;
      let missing = 0;
      let begun = null;
      const take = (received) => {
        let chunk = received;
        if (head === null) {
          // As a rule the head comes in one piece.
          if (begun) chunk = Buffer.concat([begun, chunk]);
          const end = chunk.indexOf("\r\n\r\n");
          if (end === -1) {
            begun = chunk;
            return;
          }
          head = chunk.latin1Slice(0, end);
          missing = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1]) - (chunk.length - end - 4);
          if (!head.startsWith("HTTP/1.1 200")) return fail(new Error(`${page} answered ${head.slice(0, 40)}`));
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
export async function load(port, page, count, clients, headers) {
  const times = [];
  const parts = {};
  let requested = 0;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      const { ask, end } = client(port, page, headers);
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

export const median = (list) => at([...list].sort((a, b) => a - b), 0.5);
export const ms = (value) => `${value.toFixed(3)} ms`;

/** Clients that keep every core busy: the cost of a page matters under load. */
export const BUSY = 8;

/** A round of pages: as `load`, and CPU milliseconds a page of the whole server process. */
export async function round(run, page, count, clients, headers) {
  const before = cpuSeconds(run.pid);
  const result = await load(run.port, page, count, clients, headers);
  return { ...result, cpu: ((cpuSeconds(run.pid) - before) * 1000) / count };
}

/** The spread of some rounds, as text. */
export function spread(rounds) {
  const [cpu, speed] = ["cpu", "perSecond"].map((key) => rounds.map((one) => one[key]));
  return `CPU ${Math.min(...cpu).toFixed(2)} / ${median(cpu).toFixed(2)} ms, ${Math.max(...speed).toFixed(0)} / ${median(speed).toFixed(0)} pages/s`;
}

/** The cost of a page once the server is warm. */
export async function cpuPerPage(run, page, count, headers, clients = BUSY) {
  await load(run.port, page, Math.min(1000, count), clients, headers);
  return round(run, page, count, clients, headers);
}
