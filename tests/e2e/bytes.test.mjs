/**
 * The bytes of each page's document with the demo's data, for the administrator in Chinese. What a page carries is paid
 * for by each visit, so a page that grows fails here; js/app/pages.test.ts does the same for scripts and styles.
 */
import assert from "node:assert/strict";
import { allRoutes, documentOf, flow, visit } from "./support.mjs";

/** The rows of a full list differ a little from day to day. */
const MORE = 1.04;

/** How many rows a list that is not full has, and a chart of days or months, depends on the day and the hour. */
const MORE_OF_DATES = 1.5;
const DATED = /^(chart|dashboard|visualization|crmCenter|crmAchievements|crmBoard)/;

/** Rows of a full list, and bytes of props that have no rows. */
const [FULL, WITHOUT_ROWS] = [20, 700];

/** Most bytes of the document, and most of its props within it, by route. Set both factors to 0 to print them as they are. */
const BYTES = {
  dashboardWorkplace: [34201, 8282],
  dashboardServer: [30000, 4000],
  dashboardMonitor: [30000, 4000],
  visualization: [81267, 5736],
  channelList: [47114, 10223],
  channelUvList: [38899, 6678],
  productList: [54106, 12854],
  productUvList: [46145, 9812],
  orgList: [47739, 9056],
  orgPayee: [25441, 1868],
  orgUvList: [40070, 7750],
  orgUvList2: [49374, 11079],
  orgReceipt: [44883, 8307],
  planList: [77322, 26049],
  planPushList: [75700, 18900],
  planUvList: [49313, 11073],
  planBgList: [51415, 11743],
  userList: [58900, 11750],
  userBlackList: [41579, 7812],
  userMateChannelList: [36468, 4930],
  userMatchList: [56700, 12050],
  userFeedbackList: [53300, 11650],
  crmSaleman: [46200, 7663],
  crmTeam: [37861, 4920],
  crmPoolSetting: [34200, 3856],
  crmClue: [79300, 14000],
  crmBoard: [359085, 165415],
  crmPool: [47324, 9655],
  crmMoney: [52186, 11071],
  crmMoneyDays: [29284, 2626],
  crmAchievements: [82860, 26483],
  crmCenter: [48974, 16824],
  financeRecharge: [43465, 7983],
  financeAccount: [36311, 3882],
  financeInvoice: [45674, 10456],
  financePartner: [34072, 5631],
  payConfigList: [29269, 3060],
  payConfigOrderList: [47700, 8350],
  payConfigPoolList: [41437, 5346],
  chatGroup: [25093, 1406],
  chatManage: [24940, 1452],
  chatClient: [42472, 6834],
  chatConversation: [25166, 3432],
  chatWechat: [23937, 1308],
  chatReply: [30536, 2996],
  chartChannelList: [72909, 11423],
  chartProductList: [64405, 13758],
  chartSystemList: [46295, 6700],
  chartOrgList: [59980, 11476],
  chartOrgD2dList: [92695, 34607],
  chartChannelD2dList: [114640, 33919],
  chartScoreList: [48606, 8033],
  chartMonChannelList2: [88372, 22682],
  chartMonSystemList2: [87729, 23251],
  chartMonOrgList2: [74897, 23499],
  chartMonProductList2: [77768, 25734],
  projectList: [36050, 5130],
  projectForm: [25025, 684],
  projectProfile: [18516, 713],
  resultSuccess: [18250, 711],
  resultError: [18234, 707],
  adminList: [40931, 6639],
  adminRoleList: [28490, 2314],
  adminSetting: [71926, 31113],
  adminTest: [56172, 25049],
  adminTestRules: [31521, 4582],
  adminDictionary: [33719, 4543],
  adminAgreement: [24269, 1426],
  adminMenu: [222276, 121475],
  adminNotice: [26414, 2099],
  adminAudit: [46628, 13234],
  adminLoginLog: [24230, 896],
  adminSession: [23481, 1240],
  adminSms: [34261, 3942],
  exception403: [17772, 630],
  exception404: [17833, 630],
  exception500: [17781, 630],
  accountCenter: [19943, 1423],
  accountSetting: [21336, 1358],
  accountMessage: [40814, 3904],
};

const PAGES = allRoutes().filter(({ path, page, public: open, parent }) => path && page && !open && !parent);

flow("no document is larger than it was", { as: "admin", locale: "zh-CN" }, async () => {
  const wrong = [];
  for (const { name, path } of PAGES) {
    const { text } = await documentOf(path, { as: "admin", locale: "zh-CN" });
    const [, props] = /<script type="application\/json" id="props">(.*?)<\/script>/s.exec(text);
    const found = [Buffer.byteLength(text), Buffer.byteLength(props)];
    const most = BYTES[name] ?? [0, 0];
    const isFull = JSON.parse(props).data.list?.data?.list?.rows?.length === FULL || found[1] < WITHOUT_ROWS;
    const more = isFull && !DATED.test(name) ? MORE : MORE_OF_DATES;
    if (found.some((bytes, i) => bytes > most[i] * more)) wrong.push(`  ${name}: [${found.join(", ")}],`);
  }
  assert.deepEqual(wrong, [], "these pages are larger, or new; if that is right, take their bytes over");
  const known = PAGES.map(({ name }) => name).toSorted();
  assert.deepEqual(Object.keys(BYTES).toSorted(), known);
});

flow("the scripts of a page do not delay its sheet", { as: "admin", locale: "zh-CN" }, async (page) => {
  await visit(page, "/channel/list");
  const [sheet, others] = await page.evaluate(() => {
    const loaded = performance.getEntriesByType("resource");
    const isSheet = ({ name }) => name.endsWith(".css");
    return [loaded.find(isSheet).responseEnd, loaded.filter((entry) => !isSheet(entry)).map(({ name, startTime }) => [name, startTime])];
  });
  assert.ok(others.length > 5);
  assert.deepEqual(others.filter(([, began]) => began < sheet), [], `the sheet was there after ${sheet} ms`);
});

flow("a first visit needs the document alone for its first picture", { as: "admin", locale: "zh-CN", first: true }, async (page) => {
  await visit(page, "/channel/list");
  assert.equal(await page.locator("link[rel=stylesheet]").count(), 0);
  // The sheet comes after the page's scripts, for the next page.
  await page.waitForFunction(() => document.cookie.includes("sheet="));
  const loaded = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
  assert.ok(loaded.at(-1).endsWith(".css"), loaded.join("\n"));
  await page.reload();
  assert.equal(await page.locator("link[rel=stylesheet]").count(), 1);
});
