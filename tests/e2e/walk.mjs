/**
 * Every page of the product as every demo account: a page in the account's menu is whole before any script; a page
 * outside of it is not found and leaves no trace. The documents are fetched in both languages. In the browser, where
 * no page may complain and axe finds nothing, each account uses one language: pages.mjs checks the pages themselves in
 * both. Each language has its own file, so that two workers share the time.
 */
import assert from "node:assert/strict";
import { allRoutes, axe, call, documentOf, flow, visit } from "./support.mjs";

const ACCOUNTS = [
  "admin", "operator", "finance", "service", "auditor",
  "north.manager", "north.sales1", "north.sales2", "south.manager", "south.sales1",
];

const ROUTES = allRoutes();
/** Pages in the menu; the page of one record belongs to its list and is left out. */
const PAGES = ROUTES.filter(({ path, page, public: open, parent }) => path && page && !open && !parent);

/** Names of the routes, and codes of the points, in an account's tree. */
function held(nodes, into = { routes: new Set(), points: new Set() }) {
  for (const { type, name, path, children } of nodes ?? []) {
    if (type === 1) into.routes.add(name);
    else into.points.add(path);
    held(children, into);
  }
  return into;
}

/** The document's props. */
function propsOf(html) {
  return JSON.parse(/<script type="application\/json" id="props">(.*?)<\/script>/s.exec(html)[1]);
}

/** What is drawn: the document without its data. */
function drawnOf(html) {
  return html.slice(html.indexOf('<div id="root">'), html.indexOf('<script type="application/json"'));
}

/** A page about one record that is in no menu: without a record in its address it is a bad request. */
const needsRecord = ({ hidden, loads = {} }) => hidden && Object.values(loads).some((load) => load.includes("{"));

/** The tests of one language. */
export function walk(locale) {
  for (const [place, as] of ACCOUNTS.entries()) {
    const inBrowser = (place % 2 === 0) === (locale === "zh-CN");
    // S2.05 S2.06 S2.17 S2.21 S6.03 S6.04 S6.05
    flow(`the pages of ${as} in ${locale}`, { as, locale, allow: [/status of 40[034]/, /status of 500/, /status 500: .*\/exception\/500/] }, async (page) => {
      const own = held(await call("GET", "/menu/listByToken", undefined, as));
      for (const route of PAGES) {
        const { status, text } = await documentOf(route.path, { as, locale });
        const [props, drawn] = [propsOf(text), drawnOf(text)];
        const where = `${route.path} as ${as}`;
        const role = JSON.parse((await documentOf(`/role-data/${props.roleData}`, { as, locale })).text);
        assert.deepEqual(role.points.toSorted(), [...own.points].toSorted(), "the points are the role's");
        if (!own.routes.has(route.name)) {
          assert.deepEqual([status, props.route, props.data], [404, "notFound", {}], where);
          assert.ok(!drawn.includes(`href="${route.path}"`), `${where}: no link to it`);
          continue;
        }
        assert.equal(status, route.status ?? (needsRecord(route) ? 400 : 200), where);
        assert.equal(props.route, route.name, where);
        assert.match(drawn, /<h1[ >]/, `${where}: its heading is in the HTML`);
        assert.ok(!drawn.includes("ll-skeleton"), `${where}: nothing is still to come`);
        for (const [code, button] of [["export", /<\/svg>(导出|Export)<\/button>/], ["create", /<(?:button|a)[^>]*ll-btn-primary[^>]*><svg[^>]*><path d="M12 5v14M5 12h14"/]]) {
          const point = route.points?.find((each) => each.code.endsWith(`/${code}`))?.code;
          if (point && !own.points.has(point)) assert.doesNotMatch(drawn, button, `${where} lacks ${point}`);
        }
        if (!inBrowser) continue;
        await visit(page, route.path);
        await axe(page);
      }
    });
  }
}
