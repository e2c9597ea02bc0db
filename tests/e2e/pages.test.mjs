/** Rows and texts of a page as the server writes them, and the files that a page loads. */
import assert from "node:assert/strict";
import { call, documentOf, flow, visit } from "./support.mjs";

/** A text that no page may render as markup, wherever it is stored. */
const HOSTILE = `</script><script>window.pwned=1</script><img src=x onerror="window.pwned=2">&amp;'"`;

// S1.13: rows are there before scripts are
flow("the list's rows are in the HTML, as its address filters them", { as: "admin" }, async () => {
  const { list } = await call("POST", "/channel/page", { type: "sms", sort: "name", order: "asc" }, "admin");
  const { text, status } = await documentOf("/channel/list?type=sms&sort=name&order=asc", { as: "admin" });
  assert.equal(status, 200);
  const table = text.slice(text.indexOf("<tbody>"), text.indexOf("</tbody>"));
  const places = list.map(({ name }) => table.indexOf(`>${name}<`));
  assert.ok(list.length > 3 && places.every((place, i) => place > (places[i - 1] ?? 0)), "all rows, in order");
  assert.equal(table.split("<tr").length - 1, list.length);
});

// The bad input: hostile text is text
flow("text that looks like markup is shown as text everywhere", { as: "admin" }, async (page) => {
  const channel = {
    code: "hostile-text", name: HOSTILE.slice(0, 64), type: "other", settleMode: "none", unitPriceCents: 0, shareBp: 0,
    landingUrl: null, ipAllow: [], callbackUrl: null, dedupDays: null, ownerAdminId: null, remark: HOSTILE,
  };
  await call("POST", "/channel", channel, "admin");
  const address = `/channel/list?keyword=hostile&remark=${encodeURIComponent(HOSTILE)}`;
  const scripts = (html) => html.split("<script").length - 1;
  const { text } = await documentOf("/channel/list?keyword=hostile", { as: "admin" });
  const { text: harmless } = await documentOf("/channel/list?keyword=no-such-channel", { as: "admin" });
  assert.ok(text.includes("hostile-text"));
  assert.equal(scripts(text), scripts(harmless), "only the scripts of the page itself");
  assert.ok(!text.includes("<img src=x"));

  await visit(page, `/channel/list?keyword=hostile`);
  await page.getByRole("cell", { name: channel.name }).waitFor();
  await page.locator("tbody tr").first().getByRole("link").first().click();
  await page.getByRole("heading", { level: 1, name: channel.name }).waitFor();
  await page.locator("#main").getByText(HOSTILE, { exact: true }).first().waitFor();

  // From the address into the filter bar, the props and the tabs.
  const keyword = `"><script>window.pwned=3</script>`;
  await visit(page, `/channel/list?keyword=${encodeURIComponent(keyword)}`);
  assert.equal(await page.getByLabel("关键词").inputValue(), keyword);
  await visit(page, address);
  assert.equal(await page.evaluate(() => window.pwned), undefined);
});

// S9.08: one language's texts, never both
for (const [locale, own, other] of [["zh-CN", "跳到正文", "Skip to content"], ["en-US", "Skip to content", "跳到正文"]]) {
  flow(`a page in ${locale} loads no other catalogue`, { as: "admin", locale }, async (page) => {
    const scripts = [];
    page.on("response", (response) => {
      if (response.request().resourceType() === "script") scripts.push(response.text());
    });
    await visit(page, "/channel/list");
    const sources = (await Promise.all(scripts)).join("\n");
    assert.ok(sources.includes(own));
    assert.ok(!sources.includes(other));
  });
}

flow("scripts and styles are named by their content and kept for good", {}, async (page) => {
  const assets = [];
  page.on("response", (response) => {
    if (response.url().includes("/assets/")) assets.push(response);
  });
  await visit(page, "/login");
  assert.ok(assets.length > 3);
  for (const asset of assets) {
    assert.match(asset.url(), /-[A-Z0-9]{8}\.(js|css)$/);
    assert.match(asset.headers()["cache-control"], /immutable/);
    assert.match(asset.headers()["content-encoding"], /^(br|zstd|gzip)$/);
  }
});
