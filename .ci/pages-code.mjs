// Writes the compiled code of the pages beside a program, for its first start on a machine: node .ci/pages-code.mjs PROGRAM
//
// The script fills a demo installation and requests each page once; the program then keeps what it has compiled
// (crates/render/src/code.rs).

import { chmodSync, copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fill, get, headersOf, signIn, start, stop } from "../benches/server.mjs";
import { allRoutes } from "../js/app/page-table.mjs";

/** How long the program may take to write the file, in milliseconds. */
const MOST = 20_000;
const FILE = "pages.code";

const program = resolve(process.argv[2] ?? "target/dist/leadlane");
const work = mkdtempSync(join(os.tmpdir(), "leadlane-pages-"));
try {
  fill(program, work);
  const run = await start(program, work, { LEADLANE_ISOLATES: "1" });
  const headers = await headersOf(run, await signIn(run));
  // Pages without a record in their address.
  const paths = allRoutes().flatMap(({ path, page }) => (path && page && !path.includes(":") ? [path] : []));
  for (const path of paths) await get(run.port, path, headers);
  const began = performance.now();
  while (!existsSync(join(work, FILE))) {
    if (performance.now() - began > MOST) throw new Error(`the program has not written ${FILE}`);
    await pause(100);
  }
  await stop(run);
  const made = join(dirname(program), FILE);
  copyFileSync(join(work, FILE), made);
  // The program may run as another user than the one that installs it.
  chmodSync(made, 0o644);
} finally {
  rmSync(work, { recursive: true, force: true });
}
