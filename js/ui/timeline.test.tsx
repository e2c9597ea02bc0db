/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import { texts } from "virtual:texts";
import { renderToStaticMarkup } from "react-dom/server";

import type { AuditEntry } from "../lib/api-types";
import { AppContext } from "../lib/app-context";
import { translator } from "../lib/i18n";
import { Timeline } from "./timeline";

/** The history of one entry as it first appears. */
function drawn(action: AuditEntry["action"], names: readonly string[]): string {
  const context = { props: { locale: "en-US" }, t: translator(texts["en-US"]) } as never;
  const diff = names.map((field) => ({ field, before: null, after: "x" }));
  return renderToStaticMarkup(
    <AppContext.Provider value={context}>
      <Timeline entries={[{ id: 1, at: 0, adminName: "A", action, diff }]} fields={[]} />
    </AppContext.Provider>,
  );
}

test("the fields of a new record are one line that unfolds", () => {
  const html = drawn("create", ["name", "phone"]);
  assert.match(html, /<details><summary>Created with 2 fields<\/summary><ul><li>name/);
  assert.match(html, /<li>phone: <ins>x<\/ins>/, "a new record had no values before");
});

test("other changes, and a single field, are shown at once", () => {
  for (const html of [drawn("update", ["name", "phone"]), drawn("create", ["name"])]) {
    assert.doesNotMatch(html, /<details>/);
    assert.match(html, /<li>name/);
  }
  assert.match(drawn("update", ["name"]), /<del>-<\/del> → <ins>x<\/ins>/);
});
