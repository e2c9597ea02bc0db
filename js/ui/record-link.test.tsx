/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import { renderToStaticMarkup } from "react-dom/server";
import { texts } from "virtual:texts";

import { AppContext } from "../lib/app-context";
import { translator } from "../lib/i18n";
import { Description } from "./description";
import { type Field, toOrg, toTeam } from "./field";
import { linkedFields } from "./record-link";

interface Person {
  orgId: number;
  orgName: string;
  subOrgId: number | null;
  subOrgName: string | null;
  remark: string;
}

const fields: readonly Field<Person>[] = [
  { key: "orgName", title: "salesperson.orgName", link: toOrg },
  { key: "subOrgName", title: "salesperson.subOrgName", link: toTeam },
  { key: "remark", title: "plan.remark" },
];
const person: Person = { orgId: 7, orgName: "North", subOrgId: 8, subOrgName: "First team", remark: "by phone" };

/** The fields of a person as a viewer with some points sees them. */
function shown(row: Person, points: readonly string[]): string {
  const context = { props: { locale: "en-US" }, role: { points: new Set(points) }, t: translator(texts["en-US"]) } as never;
  return renderToStaticMarkup(
    <AppContext.Provider value={context}>
      <Description filled fields={linkedFields(fields)} row={row} />
    </AppContext.Provider>,
  );
}

const linksOf = (html: string) => [...html.matchAll(/<a [^>]*href="([^"]*)">([^<]*)</g)].map(([, href, name]) => [href, name]);

test("names are links for viewers who may open their pages", () => {
  const both = ["org/list/view", "crm/saleman/list"];
  assert.deepEqual(linksOf(shown(person, both)), [
    ["/org/list/7", "North"],
    ["/crm/team/8", "First team"],
  ]);
  assert.deepEqual(linksOf(shown(person, ["crm/saleman/list"])), [["/crm/team/8", "First team"]]);
  assert.ok(shown(person, []).includes("North") && shown(person, []).includes("by phone"));
});

test("a name that is missing is no link and counts as no value", () => {
  const html = shown({ ...person, subOrgId: null, subOrgName: null }, ["crm/saleman/list"]);
  assert.deepEqual(linksOf(html), []);
  assert.ok(!html.includes("Team"));
});
