// A first visit as a slow office machine sees it, in Chromium.

import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const VISITS = 5;
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** Visits a page in a new browser, throttled, again and again; the medians as figures of `support.mjs`, or null without Chromium. */
export async function throttledVisit(origin, token, path) {
  if (!existsSync(CHROMIUM)) return null;
  const visits = [];
  for (let i = 0; i < VISITS; i++) visits.push(await visit(origin, token, path));
  const median = (name) => visits.map((one) => one[name]).sort((a, b) => a - b)[Math.floor(VISITS / 2)];
  const milliseconds = (name, most) => ({ value: median(name), text: `${median(name).toFixed(0)} ms`, unit: " ms", most });
  return {
    "rows on the screen": milliseconds("rows", 1500),
    "first contentful paint": milliseconds("fcp"),
    "largest contentful paint": milliseconds("lcp", 1500),
    "total blocking time": milliseconds("blocked", 200),
    "layout shift": { value: median("cls"), text: median("cls").toFixed(4), most: 0.02 },
    "bytes over the wire": { text: `${(median("bytes") / 1024).toFixed(0)} KB` },
  };
}

/** One visit: times in milliseconds since the navigation began. */
async function visit(origin, token, path) {
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
      const seen = (globalThis.__seen = { rows: 0, lcp: 0, cls: 0, tasks: [] });
      // Once the table is whole, the end of the frame that shows it.
      document.addEventListener("readystatechange", () => {
        if (document.readyState === "interactive" && document.querySelector("tbody tr")) requestAnimationFrame(() => setTimeout(() => (seen.rows = performance.now())));
      });
      new PerformanceObserver((list) => list.getEntries().forEach((entry) => (seen.lcp = entry.startTime))).observe({ type: "largest-contentful-paint", buffered: true });
      new PerformanceObserver((list) => list.getEntries().forEach((entry) => (seen.cls += entry.hadRecentInput ? 0 : entry.value))).observe({ type: "layout-shift", buffered: true });
      new PerformanceObserver((list) => list.getEntries().forEach((entry) => seen.tasks.push([entry.startTime, entry.startTime + entry.duration]))).observe({ type: "longtask", buffered: true });
    });
    const session = await context.newCDPSession(page);
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 750e3 / 8 });
    await session.send("Emulation.setCPUThrottlingRate", { rate: 6 });
    let bytes = 0;
    session.on("Network.loadingFinished", (event) => (bytes += event.encodedDataLength));
    await page.goto(origin + path, { waitUntil: "commit" });
    await page.waitForLoadState("networkidle");
    await page.waitForTimeout(1500);
    const seen = await page.evaluate(() => ({ ...globalThis.__seen, fcp: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0 }));
    // The sum of the parts of long tasks beyond 50 ms, after the first paint.
    const blocked = seen.tasks.map(([from, to]) => Math.max(0, to - Math.max(from, seen.fcp) - 50)).reduce((sum, time) => sum + time, 0);
    return { ...seen, blocked, bytes };
  } finally {
    await browser.close();
  }
}
