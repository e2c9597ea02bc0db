/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";

import { AppContext } from "./app-context";
import { IfPoint, IfRole, passes } from "./permissions";

const has = (code: string) => code === "channel/list/create";

// S6.04 S6.05
test("one of the list is enough, and an empty list is for everyone", () => {
  assert.equal(passes(["channel/list/delete", "channel/list/create"], has), true);
  assert.equal(passes(["channel/list/delete"], has), false);
  assert.equal(passes([], has), true);
});

// S6.04 S6.05
test("what is no list is an error that says roles are needed", () => {
  for (const wrong of ["admin", null, undefined, {}]) {
    assert.throws(() => passes(wrong as never, has), /need roles/);
  }
});

/** What a viewer sees of an element: the role is `auditor`, the point is `channel/list/create`. */
function shown(element: ReactNode): string {
  const context = { props: { viewer: { role: "auditor" } }, role: { points: new Set(["channel/list/create"]) } } as never;
  return renderToStaticMarkup(createElement(AppContext.Provider, { value: context }, element));
}

// S6.04 S6.05
for (const [name, Rule, own, foreign] of [
  ["role", IfRole, "auditor", "channel/list/create"],
  ["permission point", IfPoint, "channel/list/create", "auditor"],
] as const) {
  test(`an element with a list is shown by the viewer's ${name}`, () => {
    const seen = (any: unknown) => shown(createElement(Rule, { any: any as string[], children: "text" }));
    assert.equal(seen([foreign, own]), "text");
    assert.equal(seen([foreign]), "");
    assert.equal(seen([]), "text");
    for (const wrong of [own, null, undefined, {}]) assert.throws(() => seen(wrong), /need roles/);
  });
}
