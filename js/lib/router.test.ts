/// <reference types="node" />
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { createRouter, type OpenPage, type Page, type Router } from "./router";

const ORIGIN = "https://leadlane.example";

/** A window with a history that makes its steps asynchronously, and the documents that were loaded. */
function fakeWindow(address: string) {
  const entries: { address: string; state: unknown }[] = [{ address, state: null }];
  const documents: string[] = [];
  const listeners: ((event: { state: unknown }) => void)[] = [];
  let at = 0;
  const url = () => new URL(entries[at]!.address, ORIGIN);
  const history = {
    get state() {
      return entries[at]!.state;
    },
    pushState(state: unknown, _: string, to?: string) {
      entries.splice(++at, entries.length, { address: to ?? entries[at - 1]!.address, state: structuredClone(state) });
    },
    replaceState(state: unknown, _: string, to?: string) {
      entries[at] = { address: to ?? entries[at]!.address, state: structuredClone(state) };
    },
    go(steps: number) {
      setImmediate(() => {
        at += steps;
        for (const listener of listeners) listener({ state: entries[at]!.state });
      });
    },
  };
  const location = {
    get pathname() {
      return url().pathname;
    },
    get search() {
      return url().search;
    },
    get hash() {
      return url().hash;
    },
    get href() {
      return url().href;
    },
    assign: (to: string) => documents.push(to),
    reload: () => documents.push(`again ${entries[at]!.address}`),
  };
  const addEventListener = (_: "popstate", listener: (event: { state: unknown }) => void) => listeners.push(listener);
  Object.entries({ history, location, addEventListener }).forEach(([name, value]) =>
    Object.defineProperty(globalThis, name, { value, configurable: true }),
  );
  /** As a link to a fragment does that no script handles. */
  const followFragment = (hash: string) => {
    const { pathname, search } = url();
    entries.splice(++at, entries.length, { address: pathname + search + hash, state: null });
    for (const listener of listeners) listener({ state: null });
  };
  return { documents, followFragment, address: () => entries[at]!.address, entries: () => entries.map((entry) => entry.address) };
}

const FIRST: Page = { name: "first", head: { title: "First" }, Component: () => null, data: {}, failure: null };

let view: ReturnType<typeof fakeWindow>;
let router: Router;
/** Loads that were begun: their address, and what ends them. */
let loads: { to: string; signal: AbortSignal; done: (page: Awaited<ReturnType<OpenPage>>) => void }[];

const openPage: OpenPage = ({ pathname, search }, signal) => new Promise((done) => loads.push({ to: pathname + search, signal, done }));

beforeEach(() => {
  view = fakeWindow("/first?a=1");
  loads = [];
  router = createRouter(FIRST, openPage);
});

/** Waits until steps, and steps that they cause, are made. */
async function later(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((done) => setImmediate(done));
}

const page = (name: string): Page => ({ ...FIRST, name });
const shown = () => [router.state().visit.name, router.state().visit.location.pathname + router.state().visit.location.search];

/** Opens a page and ends its load. */
async function open(to: string): Promise<void> {
  const opened = router.navigate(to);
  loads.at(-1)!.done(page(to));
  await opened;
}

test("a page is shown, and its address written, once it is loaded", async () => {
  assert.deepEqual(shown(), ["first", "/first?a=1"]);
  const opened = router.navigate("/second?b=2", { state: { from: "/first" } });
  assert.equal(router.state().next?.pathname, "/second");
  assert.deepEqual([view.address(), shown()], ["/first?a=1", ["first", "/first?a=1"]]);
  loads[0]!.done(page("second"));
  await opened;
  assert.deepEqual([view.address(), shown(), router.state().next], ["/second?b=2", ["second", "/second?b=2"], null]);
  assert.deepEqual(router.state().visit.location.state, { from: "/first" });
  const replaced = router.navigate("/third", { replace: true });
  loads[1]!.done(page("third"));
  await replaced;
  assert.deepEqual(view.entries(), ["/first?a=1", "/third"]);
});

test("of two navigations the second one is shown, whichever is loaded first", async () => {
  const [one, two] = [router.navigate("/one"), router.navigate("/two")];
  assert.deepEqual([loads[0]!.signal.aborted, loads[1]!.signal.aborted], [true, false]);
  loads[1]!.done(page("two"));
  loads[0]!.done(page("one"));
  await Promise.all([one, two]);
  assert.deepEqual(
    [view.entries(), shown()],
    [
      ["/first?a=1", "/two"],
      ["two", "/two"],
    ],
  );
});

test("steps through the history load the page of their entry", async () => {
  await open("/second");
  await open("/third");
  void router.navigate(-2);
  await later();
  assert.equal(loads.at(-1)!.to, "/first?a=1");
  loads.at(-1)!.done(page("first again"));
  await later();
  assert.deepEqual([shown(), router.state().action, view.entries().length], [["first again", "/first?a=1"], "step", 3]);
});

test("another document is loaded for other addresses, after a step the one of the entry", async () => {
  const elsewhere = router.navigate("/elsewhere#here");
  loads[0]!.done("elsewhere");
  await elsewhere;
  assert.deepEqual([view.documents, router.state().next], [["/elsewhere#here"], null]);
  const left = router.navigate("/login-needed");
  loads[1]!.done("left");
  await left;
  assert.deepEqual([shown(), view.entries(), view.documents.length], [["first", "/first?a=1"], ["/first?a=1"], 1]);

  await open("/second");
  void router.navigate(-1);
  await later();
  loads.at(-1)!.done("elsewhere");
  await later();
  assert.deepEqual(view.documents.slice(1), ["again /first?a=1"]);
});

test("a reload of a page that the browser has to load loads its document", async () => {
  const reloaded = router.reload();
  loads[0]!.done("elsewhere");
  await reloaded;
  assert.deepEqual(view.documents, ["again /first?a=1"]);
});

test("a page that cannot be opened at all is loaded as a document", async () => {
  const opened = router.navigate("/second");
  loads[0]!.done(Promise.reject(new Error("the module is gone")) as never);
  await opened;
  assert.deepEqual([view.documents, router.state().next, shown()], [["/second"], null, ["first", "/first?a=1"]]);
  const reloaded = router.reload();
  loads[1]!.done("left");
  await reloaded;
  assert.deepEqual([view.documents.length, router.state().next], [1, null], "the page stays");
});

test("a fragment leaves the reload of its page under way", async () => {
  await open("/second");
  const reloaded = router.reload();
  await router.navigate("/second#part");
  loads.at(-1)!.done(page("fresh"));
  await reloaded;
  assert.deepEqual([router.state().visit.name, router.state().visit.location.hash], ["fresh", "#part"]);
  assert.deepEqual(view.entries(), ["/first?a=1", "/second", "/second#part"]);
});

test("a fragment of the page loads nothing", async () => {
  await router.navigate("/first?a=1#part");
  assert.deepEqual([loads.length, view.address(), router.state().visit.location.hash], [0, "/first?a=1#part", "#part"]);
  view.followFragment("#main");
  await later();
  assert.deepEqual([loads.length, router.state().visit.location.hash, shown()], [0, "#main", ["first", "/first?a=1"]]);
});

test("a reload keeps the entry, and one during a navigation loads that page again", async () => {
  const reloads = [router.reload(), router.reload()];
  assert.equal(loads[0]!.signal.aborted, true);
  loads[1]!.done(page("fresh"));
  loads[0]!.done(page("stale"));
  await Promise.all(reloads);
  assert.deepEqual([shown(), view.entries()], [["fresh", "/first?a=1"], ["/first?a=1"]]);

  const opened = router.navigate("/second");
  const again = router.reload();
  assert.deepEqual([loads[2]!.signal.aborted, loads[3]!.to], [true, "/second"]);
  loads[2]!.done(page("from before the reload"));
  loads[3]!.done(page("second"));
  await Promise.all([opened, again]);
  assert.deepEqual(
    [shown(), view.entries()],
    [
      ["second", "/second"],
      ["/first?a=1", "/second"],
    ],
  );
});

test("a guard is asked before a navigation and before a step", async () => {
  await open("/form");
  const answers: ((leaves: boolean) => void)[] = [];
  const stop = router.guard(() => new Promise((resolve) => answers.push(resolve)));
  const before = loads.length;

  const stays = router.navigate("/second");
  // A second navigation while the question is open asks nothing and goes nowhere.
  await router.navigate("/third");
  answers[0]!(false);
  await stays;
  assert.deepEqual([answers.length, loads.length, view.address()], [1, before, "/form"]);

  void router.navigate(-1);
  await later();
  assert.deepEqual([view.address(), loads.length], ["/form", before], "the step is undone while the question is open");
  answers[1]!(false);
  await later();
  assert.deepEqual([view.address(), loads.length], ["/form", before]);

  void router.navigate(-1);
  await later();
  answers[2]!(true);
  await later();
  await later();
  loads.at(-1)!.done(page("first"));
  await later();
  assert.deepEqual([view.address(), shown(), view.entries()], ["/first?a=1", ["first", "/first?a=1"], ["/first?a=1", "/form"]]);

  // The guard is asked again next time, and no longer once it has stopped.
  void router.navigate("/second");
  await later();
  assert.equal(answers.length, 4);
  answers[3]!(false);
  await later();
  stop();
  await open("/second");
  assert.equal(view.address(), "/second");
});

test("listeners hear of each change until they stop", async () => {
  const heard: (string | null)[] = [];
  const stop = router.subscribe(({ visit, next }) => heard.push(next ? `to ${next.pathname}` : visit.name));
  await open("/second");
  stop();
  await open("/third");
  assert.deepEqual(heard, ["to /second", "/second"]);
});
