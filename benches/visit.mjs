// A first visit as a slow office machine sees it, in Chromium.

import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** Visits a page with an empty cache, throttled; nothing when there is no Chromium. */
export async function throttledVisit(origin, token, path) {
  if (!existsSync(CHROMIUM)) return null;
  const require = createRequire(join(dirname(fileURLToPath(import.meta.url)), "../js/package.json"));
  const { chromium } = require("playwright-core");
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await context.addCookies([{ name: "token", value: token, url: origin }]);
    await context.addInitScript((value) => localStorage.setItem("token", value), token);
    const page = await context.newPage();
    await page.addInitScript(() => {
      const seen = (globalThis.__seen = { lcp: 0, cls: 0, blocked: 0 });
      new PerformanceObserver((list) => list.getEntries().forEach((entry) => (seen.lcp = entry.startTime))).observe({ type: "largest-contentful-paint", buffered: true });
      new PerformanceObserver((list) => list.getEntries().forEach((entry) => (seen.cls += entry.hadRecentInput ? 0 : entry.value))).observe({ type: "layout-shift", buffered: true });
      new PerformanceObserver((list) => list.getEntries().forEach((entry) => (seen.blocked += Math.max(0, entry.duration - 50)))).observe({ type: "longtask", buffered: true });
    });
    const session = await context.newCDPSession(page);
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 750e3 / 8 });
    await session.send("Emulation.setCPUThrottlingRate", { rate: 6 });
    let bytes = 0;
    session.on("Network.loadingFinished", (event) => (bytes += event.encodedDataLength));
    await page.goto(origin + path, { waitUntil: "commit" });
    await page.waitForSelector("tbody tr");
    const rows = await page.evaluate(() => performance.now());
    await page.waitForLoadState("networkidle");
    await page.waitForTimeout(1500);
    const seen = await page.evaluate(() => ({ ...globalThis.__seen, fcp: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0 }));
    return {
      "rows in the document": `${rows.toFixed(0)} ms (at most 1500)`,
      "first contentful paint": `${seen.fcp.toFixed(0)} ms`,
      "largest contentful paint": `${seen.lcp.toFixed(0)} ms (at most 1500)`,
      "total blocking time": `${seen.blocked.toFixed(0)} ms (at most 200)`,
      "layout shift": `${seen.cls.toFixed(4)} (at most 0.02)`,
      "bytes over the wire": `${(bytes / 1024).toFixed(0)} KB`,
    };
  } finally {
    await browser.close();
  }
}
