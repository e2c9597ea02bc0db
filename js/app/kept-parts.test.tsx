/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import { type ReactElement, useContext } from "react";
import { renderToString } from "react-dom/server";

import { KeptParts } from "./kept-parts";
import { type App, AppContext, STRANGER } from "../lib/app-context";
import { Kept } from "../lib/kept";
import { useLoaded, useViewer } from "../lib/props";
import { useLocation, VisitContext } from "../lib/visit";

/** Renders a part of a page as the server does, for a viewer; with `parts` it keeps them. */
function rendered(
  part: ReactElement,
  { parts, viewer = "Ada", choices = ["a"] }: { parts?: KeptParts; viewer?: string; choices?: string[] },
) {
  const props = { locale: "en-US", today: "2026-11-30", viewer: { name: viewer }, settings: {} } as never;
  const app: App = { props, t: (key) => key, role: STRANGER, tableMenu: null };
  if (parts) app.keep = (of, loads, make) => parts.keep("1", app, of, loads, make);
  const visit = {
    head: { title: "x" },
    location: { pathname: "/x", search: "?q=secret" },
    data: { choices: { code: "0000", data: choices } },
  } as never;
  return renderToString(
    <AppContext value={app}>
      <VisitContext value={visit}>{part}</VisitContext>
    </AppContext>,
  );
}

function Choices() {
  return (
    <p>
      {useLoaded<string[]>("choices")!.join()} of {"them"}
    </p>
  );
}

/** A part with the choices of a load. */
const part = (of: readonly unknown[], made = () => {}, ofAddress = false) => (
  <Kept as="div" className="bar" of={of} ofAddress={ofAddress} loads={["choices"]}>
    {() => {
      made();
      return <Choices />;
    }}
  </Kept>
);

test("a kept part has the HTML of a part that is not kept, and is made once for its values", () => {
  const parts = new KeptParts();
  let times = 0;
  const made = () => (times += 1);
  const plain = rendered(part(["bar"]), {});
  assert.equal(plain, '<div class="bar"><p>a<!-- --> of <!-- -->them</p></div>');
  for (const viewer of ["Ada", "Ben"]) assert.equal(rendered(part(["bar"], made), { parts, viewer }), plain);
  assert.equal(times, 1);
  assert.equal(rendered(part(["bar"], made), { parts, choices: ["b"] }), plain.replace(">a<", ">b<"), "other choices are another part");
  assert.equal(times, 2);
  for (const again of [3, 4])
    assert.deepEqual([rendered(part(["bar"], made, true), { parts }), times], [plain, again], "of an address with a search");
});

test("a part with many choices is not kept", () => {
  const parts = new KeptParts();
  let times = 0;
  const choices = Array.from({ length: 201 }, (_, i) => String(i));
  for (const again of [1, 2]) {
    const html = rendered(
      part(["bar"], () => (times += 1)),
      { parts, choices },
    );
    assert.deepEqual([html.includes("199,200"), times], [true, again]);
  }
});

test("without room for all, the parts used last are kept", () => {
  // Each takes about a hundred characters.
  const parts = new KeptParts(250);
  const isMade = (name: string) => {
    let made = false;
    rendered(
      part([name], () => (made = true)),
      { parts },
    );
    return made;
  };
  assert.deepEqual(["a", "b", "a", "c", "a", "b"].map(isMade), [true, true, false, true, false, true]);
});

test("a kept part cannot read the viewer, the settings, the address or a load that it does not name", () => {
  const Viewer = () => <b>{useViewer()?.name}</b>;
  const Settings = () => <b>{useContext(AppContext).props.settings.footer}</b>;
  const Address = () => <b>{useLocation().search}</b>;
  for (const Inside of [Viewer, Settings, Address, Choices]) {
    const inside = (
      <Kept as="nav" of={["x"]}>
        {() => <Inside />}
      </Kept>
    );
    assert.doesNotThrow(() => rendered(inside, {}), Inside.name);
    assert.throws(() => rendered(inside, { parts: new KeptParts() }), Inside.name);
  }
});
