/** Lists on narrow screens: rows are cards, and the filters stand behind one button. */
import assert from "node:assert/strict";

import { axe, call, flow, visit } from "./support.mjs";

const overflow = (page) => page.evaluate(() => [document.documentElement, document.querySelector(".ll-table-box")].map((box) => box.scrollWidth - box.clientWidth));
/** The name before a value, as the browser draws it. */
const nameOf = (cell) => cell.evaluate((each) => getComputedStyle(each, "::before").content);

for (const script of [true, false]) {
  flow(`a row is a card, script ${script ? "on" : "off"}`, { as: "admin", locale: "en-US", theme: "dark", width: 360, height: 740, script }, async (page) => {
    await (script ? visit(page, "/channel/list?status=enabled") : page.goto("/channel/list?status=enabled"));
    assert.deepEqual(await overflow(page), [0, 0]);
    const [first] = (await call("POST", "/channel/page", { status: "enabled" }, "admin")).list;
    const card = page.locator("tbody tr").first();
    const cells = card.locator("td:not(.ll-pick, .ll-acts)");
    const heads = await page.locator("thead th:not(.ll-pick, .ll-acts)").allTextContents();
    assert.equal(await nameOf(cells.first()), JSON.stringify(heads[1]), "the name of the column stands before its value");
    assert.equal(await nameOf(cells.last()), JSON.stringify(heads.at(-1)));
    assert.equal(await card.getByRole("rowheader").innerText(), first.name);
    if (script) {
      const [heading, actions] = await Promise.all([card.getByRole("rowheader").boundingBox(), card.locator(".ll-acts").boundingBox()]);
      assert.ok(actions.y > heading.y && actions.x < 60, "the actions are at the foot");
      await card.getByRole("checkbox").check();
      await page.getByText("1 selected").waitFor();
      await axe(page);
    }
    // The head still sorts.
    await page.getByRole("link", { name: heads[0] }).click();
    await page.waitForURL(/sort=name/);
  });

  flow(`filters are behind a button that counts them, script ${script ? "on" : "off"}`, { as: "admin", width: 768, height: 900, script }, async (page) => {
    await (script ? visit(page, "/channel/list?status=enabled") : page.goto("/channel/list?status=enabled"));
    assert.equal(await page.getByLabel("关键词").isVisible(), false);
    await page.getByRole("button", { name: "筛选 1" }).click();
    await page.getByLabel("关键词").fill("h5");
    if (script) await axe(page);
    await page.getByRole("button", { name: "查询" }).click();
    await page.waitForURL(/keyword=h5/);
    await page.getByRole("button", { name: "筛选 2" }).waitFor();
    assert.equal(await page.getByLabel("关键词").isVisible(), false, "it has closed");
  });
}

flow("frozen columns cast a shadow while something is hidden under them", { as: "admin", width: 1024 }, async (page) => {
  await visit(page, "/plan/list");
  const box = page.locator(".ll-table-box");
  const hides = () => box.evaluate(({ classList }) => ["left", "right"].filter((side) => classList.contains(`ll-hides-${side}`)));
  assert.deepEqual(await hides(), ["right"]);
  await box.evaluate((each) => each.scrollTo(50, 0));
  await page.waitForFunction(() => document.querySelector(".ll-hides-left.ll-hides-right"));
  await box.evaluate((each) => each.scrollTo(10_000, 0));
  await page.waitForFunction(() => document.querySelector(".ll-hides-left:not(.ll-hides-right)"));
  assert.deepEqual(await hides(), ["left"]);
});
