/**
 * The demo business that the browser tests start from. It is made once and copied for each server.
 *
 * The environment variable BINARY names the program under test; DEMO, if set, a folder in which the demo business is
 * kept for the next file.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdtemp, rename, rm } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

/** The password of every demo account. */
export const PASSWORD = "leadlane-demo-1";

/** An address without a server, so that the demo's official account does not call WeChat. */
const NOWHERE = "http://127.0.0.1:9";

/** The environment of a program on a data folder. */
export function environment(data) {
  return { ...process.env, LEADLANE_DATA: data, LEADLANE_LISTEN: "127.0.0.1:0", RUST_LOG: "warn", LEADLANE_WECHAT_API: NOWHERE };
}

/** Puts a demo business into an empty folder. */
export async function fill(data) {
  if (process.env["DEMO"]) await cp(await keep(process.env["DEMO"]), data, { recursive: true });
  else await make(data);
}

/** The folder of today's demo business within `shelf`, made if there is none: its dates end today. */
export async function keep(shelf) {
  const kept = path.join(shelf, new Date().toLocaleDateString("sv-SE", { timeZone: "Asia/Shanghai" }));
  if (!existsSync(kept)) {
    const fresh = await mkdtemp(path.join(shelf, "making-"));
    await make(fresh);
    // Another process may have made it meanwhile.
    await rename(fresh, kept).catch(() => rm(fresh, { recursive: true }));
  }
  return kept;
}

async function make(data) {
  await promisify(execFile)(process.env["BINARY"], ["demo", "--users", "40"], { env: { ...environment(data), LEADLANE_PASSWORD: PASSWORD } });
}
