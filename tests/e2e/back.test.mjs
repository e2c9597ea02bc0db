/** Back while an overlay is open over a page: the overlay closes, and the page stays as it was. */
import assert from "node:assert/strict";
import { flow, hydrated, until, visit } from "./support.mjs";

const LIST = "/user/list?pageSize=10&current=2";
const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 800 };

const dialogs = (page) => page.locator("[role=dialog][data-open], [role=alertdialog][data-open]");
const address = (page) => page.evaluate(() => location.pathname + location.search);
/** Waits until the history is at the page's own entry, without one of an overlay. */
const settled = (page) => until(() => page.evaluate(() => !history.state?.overlays && history.scrollRestoration === "auto"), "the page's own entry");
const rows = (page) => page.locator(".ll-table tbody tr");

/** Opens a list from another page, and then its second page. */
async function listed(page) {
  await visit(page, "/home");
  await page.evaluate(() => {
    const link = document.createElement("a");
    link.href = "/user/list?pageSize=10";
    document.body.append(link);
    link.click();
    link.remove();
  });
  await page.waitForURL("**/user/list?pageSize=10");
  await rows(page).first().waitFor();
  const first = await rows(page).first().innerText();
  await page.getByRole("link", { name: "第 2 页" }).click();
  await page.waitForURL(`**${LIST}`);
  // The address changes before the rows do.
  await until(async () => (await rows(page).first().innerText()) !== first, "the rows of page 2");
  assert.equal(await rows(page).count(), 10);
}


for (const [device, size] of Object.entries({ desk: DESK, phone: PHONE })) {
  flow(`Back closes a dialog over a list and nothing else, ${device}`, { as: "admin", ...size }, async (page) => {
    await listed(page);
    await page.evaluate(() => scrollTo(0, 150));
    const top = await page.evaluate(() => scrollY);
    const text = await rows(page).first().innerText();
    const length = await page.evaluate(() => history.length);
    for (const round of [1, 2]) {
      await page.locator("#main").getByRole("button", { name: "导出" }).evaluate((button) => button.click());
      await dialogs(page).waitFor();
      await until(() => page.evaluate(() => history.state.overlays === 1), "the overlay's entry");
      await page.goBack();
      await dialogs(page).waitFor({ state: "detached" });
      assert.equal(await address(page), LIST, `round ${round}`);
      assert.equal(await rows(page).first().innerText(), text);
      assert.equal(await page.evaluate(() => scrollY), top);
      await settled(page);
    }
    assert.equal(await page.evaluate(() => history.length), length + 1, "entries of overlays take each other's place");
    // Forward leads to nothing half open.
    await page.goForward();
    await settled(page);
    assert.equal(await dialogs(page).count(), 0);
    assert.equal(await address(page), LIST);
    // The page before is one step away.
    await page.goBack();
    await page.waitForURL("**/user/list?pageSize=10");
    await page.goForward();
    await page.waitForURL(`**${LIST}`);
  });

  flow(`closing it in another way takes its entry away, ${device}`, { as: "admin", ...size }, async (page) => {
    await listed(page);
    for (const close of [() => page.keyboard.press("Escape"), () => dialogs(page).getByRole("button", { name: "关闭" }).first().click()]) {
      await page.locator("#main").getByRole("button", { name: "导出" }).evaluate((button) => button.click());
      await dialogs(page).waitFor();
      await until(() => page.evaluate(() => history.state.overlays === 1), "the overlay's entry");
      await close();
      await dialogs(page).waitFor({ state: "detached" });
      await settled(page);
      assert.equal(await address(page), LIST);
    }
    await page.goBack();
    await page.waitForURL("**/user/list?pageSize=10");
    await page.goBack();
    await page.waitForURL("**/home");
  });

  flow(`a form that is typed in asks first, and overlays close one at a time, ${device}`, { as: "admin", ...size }, async (page) => {
    await visit(page, "/org/list");
    await rows(page).first().waitFor();
    await page.locator(".ll-toolbar > button.ll-btn-primary").first().click();
    const form = dialogs(page).first();
    await form.locator("textarea, input.ll-input").last().fill("typed");
    await until(() => page.evaluate(() => history.state.overlays === 1), "the form's entry");
    await page.goBack();
    await until(async () => (await dialogs(page).count()) === 2, "the question");
    await until(() => page.evaluate(() => history.state.overlays === 2), "the question's entry");
    // Back answers the question with no.
    await page.goBack();
    await until(async () => (await dialogs(page).count()) === 1, "the form alone");
    assert.equal(await form.locator("textarea, input.ll-input").last().inputValue(), "typed");
    await until(() => page.evaluate(() => history.state.overlays === 1), "the form's entry again");
    await page.goBack();
    await until(async () => (await dialogs(page).count()) === 2, "the question once more");
    await dialogs(page).last().locator(".ll-btn-danger").click();
    await until(async () => (await dialogs(page).count()) === 0, "nothing open");
    await settled(page);
    assert.equal(await address(page), "/org/list");
  });
}

flow("a page that is reloaded under a drawer has nothing open and one step to the page before", { as: "admin", ...DESK }, async (page) => {
  await listed(page);
  await page.locator("#main").getByRole("button", { name: "导出" }).evaluate((button) => button.click());
  await dialogs(page).waitFor();
  await until(() => page.evaluate(() => history.state.overlays === 1), "the overlay's entry");
  await page.reload();
  await hydrated(page);
  await settled(page);
  assert.equal(await dialogs(page).count(), 0);
  assert.equal(await address(page), LIST);
  await page.goBack();
  await page.waitForURL("**/user/list?pageSize=10");
});

flow("Back closes the palette, and what is chosen in it is one step", { as: "admin", ...DESK }, async (page) => {
  await listed(page);
  await page.keyboard.press("Control+k");
  await dialogs(page).waitFor();
  await until(() => page.evaluate(() => history.state.overlays === 1), "the palette's entry");
  await page.goBack();
  await dialogs(page).waitFor({ state: "detached" });
  assert.equal(await address(page), LIST);
  await settled(page);
  await page.keyboard.press("Control+k");
  await dialogs(page).locator("input").fill("渠道列表");
  // Results appear a moment after typing; Enter chooses the first.
  await dialogs(page).locator("[role=option][aria-selected=true]", { hasText: "渠道列表" }).waitFor();
  // The palette that was closed fades out meanwhile, and leaves the focus where it is.
  await until(async () => (await page.locator(".ll-dialog").count()) === 1, "one palette");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/channel/list");
  await rows(page).first().waitFor();
  await settled(page);
  assert.equal(await page.evaluate(() => scrollY), 0);
  await page.goBack();
  await page.waitForURL(`**${LIST}`);
  await page.goForward();
  await page.waitForURL("**/channel/list");
});

flow("Back closes the sheets of a phone", { as: "admin", ...PHONE }, async (page) => {
  await listed(page);
  const open = page.locator(":popover-open");
  for (const button of [page.locator(".ll-filters-open"), page.locator("[popovertarget=messages]:visible").first()]) {
    await button.click();
    await open.waitFor();
    await until(() => page.evaluate(() => history.state.overlays === 1), "the sheet's entry");
    await page.goBack();
    await until(async () => (await open.count()) === 0, "no sheet");
    await settled(page);
    assert.equal(await address(page), LIST);
  }
  // A search from the sheet is one step.
  await page.locator(".ll-filters-open").click();
  await open.locator("input[name=keyword]").fill("1000");
  await open.getByRole("button", { name: "查询" }).click();
  await page.waitForURL(/keyword=1000/);
  await settled(page);
  await page.goBack();
  await page.waitForURL(`**${LIST}`);
});

flow("a page's form still asks before Back leaves it", { as: "operator", ...DESK }, async (page) => {
  await visit(page, "/project/list");
  await page.getByRole("link", { name: "新建项目" }).first().click();
  await page.waitForURL("**/project/form");
  const name = page.getByLabel("项目名称");
  await name.fill("typed");
  await page.goBack();
  await dialogs(page).waitFor();
  await page.waitForURL("**/project/form");
  await until(() => page.evaluate(() => history.state.overlays === 1), "the question's entry");
  await page.goBack();
  await dialogs(page).waitFor({ state: "detached" });
  await settled(page);
  assert.equal(await address(page), "/project/form");
  assert.equal(await name.inputValue(), "typed");
  await page.getByRole("status").getByText("草稿已于").waitFor();
  await page.goBack();
  await page.waitForURL("**/project/list");
  await settled(page);
});
