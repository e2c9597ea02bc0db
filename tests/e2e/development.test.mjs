/** The front end of `make dev` in the browser: it hydrates the server's page, and its lazy parts load. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { flow, serve, visit } from "./support.mjs";

const BUILD = fileURLToPath(new URL("../../js/app/build.mjs", import.meta.url));

// The second server has another port.
flow("a page of the development front end works", { as: "admin", locale: "en-US", allow: [/^request to another host/] }, async (page) => {
  const web = await mkdtemp(path.join(os.tmpdir(), "leadlane-dev-"));
  await promisify(execFile)(process.execPath, [BUILD, "--dev", "--compress", "none", "--out", web]);
  const second = await serve({ LEADLANE_DEV_ASSETS: web });
  try {
    await visit(page, `${second.origin}/org/receipt`);
    await page.getByRole("button", { name: "New receipt" }).click();
    // The form's upload is a part that comes after it.
    await page.getByRole("dialog", { name: "New receipt" }).locator("input[type=file]").waitFor({ state: "attached" });
    await page.waitForLoadState("networkidle");
  } finally {
    await second.stop();
    await rm(web, { recursive: true });
  }
});
