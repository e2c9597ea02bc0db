/** The three exception pages, and the ways out of them. */
import assert from "node:assert/strict";
import { flow, hydrated, visit } from "./support.mjs";

const EXPECTED = [/status of (403|404|500)/, /^status 500: .*\/exception\/500$/];

// S2.27 S1.12
for (const status of [403, 404, 500]) {
  flow(`the page of ${status} leads back to where one was, and else home`, { as: "operator", allow: EXPECTED }, async (page) => {
    await visit(page, "/channel/list?type=sms");
    const response = await visit(page, `/exception/${status}`);
    assert.equal(response.status(), status);
    await page.getByRole("link", { name: "返回", exact: true }).click();
    await page.waitForURL("**/channel/list?type=sms");

    const fresh = await page.context().newPage();
    await visit(fresh, `/exception/${status}`);
    await fresh.getByRole("link", { name: "返回", exact: true }).click();
    await fresh.waitForURL("**/home");
  });
}

// S2.27
flow("the page of 404 can be tried again, those of 403 and 500 not", { as: "operator", allow: EXPECTED }, async (page) => {
  await visit(page, "/exception/404");
  const again = page.waitForResponse("**/exception/404");
  await page.getByRole("button", { name: "重试" }).click();
  assert.equal((await again).status(), 404);
  await hydrated(page);
  for (const status of [403, 500]) {
    await visit(page, `/exception/${status}`);
    assert.equal(await page.getByRole("button", { name: "重试" }).count(), 0, status);
  }
});
