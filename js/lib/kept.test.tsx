/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReactElement } from "react";
import { renderToString } from "react-dom/server";

import { type App, AppContext, STRANGER } from "./app-context";
import { Kept } from "./kept";
import { useLoaded, useViewer } from "./props";
import { useLocation, VisitContext } from "./visit";

/** A part of a page at an address, as the server renders it for a viewer. */
function rendered(
  part: ReactElement,
  { keep, viewer = "Ada", choices = ["a"] }: { keep?: App["keep"]; viewer?: string; choices?: string[] },
) {
  const props = { locale: "en-US", today: "2026-11-30", viewer: { name: viewer } } as never;
  const app: App = { props, t: (key) => key, role: STRANGER, tableMenu: null, keep };
  const visit = { location: { pathname: "/x", search: "?q=secret" }, data: { choices: { code: "0000", data: choices } } } as never;
  return renderToString(
    <AppContext value={app}>
      <VisitContext value={visit}>{part}</VisitContext>
    </AppContext>,
  );
}

/** Keeps parts as the server does. */
function keeper() {
  const parts = new Map<string, string>();
  const keep = (key: string, make: () => ReactElement) => {
    const html = parts.get(key) ?? renderToString(make());
    parts.set(key, html);
    return html;
  };
  return { parts, keep };
}

function Choices() {
  return (
    <p>
      {useLoaded<string[]>("choices")!.join()} of {"them"}
    </p>
  );
}

test("a kept part has the HTML of a part that is not kept, and is made once for its values", () => {
  const { parts, keep } = keeper();
  let made = 0;
  const part = (of: readonly unknown[] | null) => (
    <Kept as="div" className="bar" of={of} loads={["choices"]}>
      {() => {
        made += 1;
        return <Choices />;
      }}
    </Kept>
  );
  const plain = rendered(part(["bar"]), {});
  assert.equal(plain, '<div class="bar"><p>a<!-- --> of <!-- -->them</p></div>');
  made = 0;
  assert.deepEqual([rendered(part(["bar"]), { keep }), rendered(part(["bar"]), { keep, viewer: "Ben" }), made], [plain, plain, 1]);
  assert.equal(rendered(part(["bar"]), { keep, choices: ["b"] }), plain.replace(">a<", ">b<"), "other choices are another part");
  assert.equal(rendered(part(null), { keep }), plain);
  assert.deepEqual([made, parts.size], [3, 2], "a part without values is made each time");
});

test("a kept part cannot read the viewer, the address or a load that it does not name", () => {
  const { keep } = keeper();
  const Name = () => <b>{useViewer()?.name ?? "no viewer"}</b>;
  const Address = () => <b>{useLocation().search}</b>;
  const part = (inside: ReactElement) => (
    <Kept as="nav" of={["x"]}>
      {() => inside}
    </Kept>
  );
  assert.equal(rendered(part(<Name />), { keep }), "<nav><b>no viewer</b></nav>");
  for (const inside of [<Address />, <Choices />]) {
    assert.throws(() => rendered(part(inside), { keep: keeper().keep }));
  }
});
