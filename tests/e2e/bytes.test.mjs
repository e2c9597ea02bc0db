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
  channelList: [47027, 10160],
  channelUvList: [39474, 6518],
  productList: [54275, 12791],
  productUvList: [46621, 9650],
  orgList: [47918, 8993],
  orgPayee: [25071, 1805],
  orgUvList: [40319, 7572],
  orgUvList2: [49831, 10891],
  orgReceipt: [45676, 8247],
  planList: [76667, 25843],
  planPushList: [74418, 18509],
  planUvList: [49776, 10891],
  planBgList: [52378, 11621],
  userList: [57425, 11477],
  userBlackList: [40840, 7593],
  userMateChannelList: [36709, 4737],
  userMatchList: [55861, 11638],
  userFeedbackList: [52167, 11367],
  crmSaleman: [45426, 7600],
  crmTeam: [38631, 4863],
  crmPoolSetting: [33709, 3665],
  crmClue: [78140, 13577],
  crmBoard: [359085, 165415],
  crmPool: [47708, 9437],
  crmMoney: [53412, 11068],
  crmMoneyDays: [27484, 2281],
  crmAchievements: [82860, 26483],
  crmCenter: [48974, 16824],
  financeRecharge: [44229, 7920],
  financeAccount: [36743, 3819],
  financeInvoice: [46263, 10399],
  financePartner: [33873, 5439],
  payConfigList: [28863, 2952],
  payConfigOrderList: [47431, 8206],
  payConfigPoolList: [41182, 5286],
  chatGroup: [24693, 1343],
  chatManage: [24637, 1389],
  chatClient: [43112, 6771],
  chatConversation: [24919, 3323],
  chatWechat: [23519, 1245],
  chatReply: [30477, 2933],
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
  projectList: [36371, 5067],
  projectForm: [24415, 653],
  projectProfile: [18317, 682],
  resultSuccess: [18071, 680],
  resultError: [18055, 676],
  adminList: [40742, 6573],
  adminRoleList: [27876, 2204],
  adminSetting: [71096, 30718],
  adminTest: [56444, 24986],
  adminTestRules: [31705, 4519],
  adminDictionary: [34023, 4480],
  adminAgreement: [23852, 1366],
  adminMenu: [206421, 115368],
  adminNotice: [25990, 2019],
  adminAudit: [48482, 12815],
  adminLoginLog: [23759, 833],
  adminSession: [22967, 1177],
  adminSms: [34815, 3939],
  exception403: [17478, 576],
  exception404: [17539, 576],
  exception500: [17487, 576],
  accountCenter: [19661, 1360],
  accountSetting: [21094, 1295],
  accountMessage: [40975, 4258],
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
