/**
 * Opens pages without loading a document: keeps the history, asks before typed text is lost, and shows a page once its code
 * and its loads are there. Other addresses are loaded as documents.
 */

import type { ComponentType } from "react";
import { goTo, loadAnew } from "./leave-document";
import type { PageData, PageHead } from "./types";

/** An address of a page, with what the history keeps beside it. */
export interface PageLocation {
  pathname: string;
  /** The query with its question mark, or empty. */
  search: string;
  /** The fragment with its #, or empty. */
  hash: string;
  /** What `navigate` was given; null if nothing. */
  state: unknown;
  /** Differs for every entry of the history. */
  key: string;
}

/** A page whose code and data are there. */
export interface Page {
  /** Name of its route. */
  name: string;
  head: PageHead;
  Component: ComponentType;
  data: PageData;
  /** Status of the error that is shown in its place; null if there is none. */
  failure: 404 | 500 | null;
}

/** A page at an address. */
export interface Visit extends Page {
  location: PageLocation;
}

/** How an address was reached: a new entry of the history, another address in the same entry, or a step through the history. */
type Action = "push" | "replace" | "step";

export interface RouterState {
  visit: Visit;
  action: Action;
  /** The address whose page is being loaded; null if none is. */
  next: PageLocation | null;
}

/**
 * Loads the page of an address; if that fails, a page that shows the failure. "elsewhere": the browser has to load the address as
 * a document; "left": it loads another one already, or stays where it is.
 */
export type OpenPage = (location: PageLocation, signal: AbortSignal) => Promise<Page | "elsewhere" | "left">;

/** Asks whether the page may be left. */
export type Guard = () => Promise<boolean>;

export interface NavigateOptions {
  /** Kept with the entry of the history. */
  state?: unknown;
  /** Changes the entry of the history in place of adding one. */
  replace?: boolean;
}

export interface Router {
  state: () => RouterState;
  /** Calls `listener` after every change; returns a function that stops it. */
  subscribe: (listener: (state: RouterState) => void) => () => void;
  /** Opens an address, or makes so many steps through the history. Fulfilled once the page is shown or the viewer stays. */
  navigate: (to: string | number, options?: NavigateOptions) => Promise<void>;
  /** Runs the loads of the page again. */
  reload: () => Promise<void>;
  /** Asks `guard` before the page is left, until the returned function is called. Of several, the last one is asked. */
  guard: (guard: Guard) => () => void;
}

/** The entry of the history as the router writes it: `usr` is the state of `navigate`, `idx` counts the entries. */
interface Entry {
  usr?: unknown;
  key?: string;
  idx?: number;
}

const entry = (): Entry => (history.state as Entry | null) ?? {};

const isSamePage = (one: PageLocation, other: PageLocation) => one.pathname === other.pathname && one.search === other.search;

const addressOf = ({ pathname, search, hash }: PageLocation) => pathname + search + hash;

function currentLocation(): PageLocation {
  const { pathname, search, hash } = location;
  const { usr = null, key = "default" } = entry();
  return { pathname, search, hash, state: usr, key };
}

/** Makes the router of a document that shows `first` at its address. */
export function createRouter(first: Page, openPage: OpenPage): Router {
  if (entry().idx === undefined) history.replaceState({ ...entry(), idx: 0 }, "");
  let index = entry().idx ?? 0;
  let state: RouterState = { visit: { ...first, location: currentLocation() }, action: "step", next: null };
  const listeners = new Set<(state: RouterState) => void>();
  let guards: Guard[] = [];
  let isAsking = false;
  /** The guard that has allowed the step that follows. */
  let allowing: Guard | undefined;
  /** Called at the next step, which the router makes to undo one. */
  let undone: (() => void) | undefined;
  let running = new AbortController();
  /** The load that is under way, or the last one. */
  let latest = Promise.resolve();
  /** How the address of `state.next` is reached. */
  let nextAction: Action = "step";

  function update(change: Partial<RouterState>): void {
    state = { ...state, ...change };
    for (const listener of listeners) listener(state);
  }

  function write(location: PageLocation, action: Action): void {
    if (action === "step") return;
    index = (entry().idx ?? 0) + (action === "push" ? 1 : 0);
    const kept: Entry = { usr: location.state, key: location.key, idx: index };
    if (action === "push") history.pushState(kept, "", addressOf(location));
    else history.replaceState(kept, "", addressOf(location));
  }

  /**
   * Loads the page of an address and shows it, unless another one is asked for before it is there. A reload shows it at the
   * address of the moment, whose fragment may have changed meanwhile.
   */
  async function load(location: PageLocation, action: Action, isReload = false): Promise<void> {
    const { signal } = (running = new AbortController());
    const page = await openPage(location, signal).catch((error) => {
      console.error(error);
      return "elsewhere" as const;
    });
    if (signal.aborted) return latest;
    if (typeof page === "object") return show({ ...page, location: isReload ? state.visit.location : location }, action);
    update({ next: null });
    if (page === "left") return;
    if (isReload || action === "step") loadAnew();
    else goTo(addressOf(location));
  }

  function show(visit: Visit, action: Action): void {
    if (visit.location !== state.visit.location) write(visit.location, action);
    update({ visit, action, next: null });
  }

  function go(location: PageLocation, action: Action): Promise<void> {
    const from = state.visit;
    const isFragment = location.hash !== "" && isSamePage(location, from.location);
    // A fragment of the page leaves a reload of the page under way.
    if (!isFragment || state.next) {
      running.abort();
      latest = Promise.resolve();
    }
    if (isFragment) {
      show({ ...from, location }, action);
      return Promise.resolve();
    }
    nextAction = action;
    update({ next: location });
    return (latest = load(location, action));
  }

  /** Asks the last guard; false also while a question is open. */
  async function mayLeave(guard: Guard): Promise<boolean> {
    if (isAsking) return false;
    isAsking = true;
    try {
      return await guard();
    } finally {
      isAsking = false;
    }
  }

  async function navigate(to: string | number, { state: kept = null, replace = false }: NavigateOptions = {}): Promise<void> {
    if (typeof to === "number") return history.go(to);
    const { pathname, search, hash } = new URL(to, location.href);
    const key = Math.random().toString(36).slice(2, 10);
    const guard = guards.at(-1);
    if (guard && !(await mayLeave(guard))) return;
    await go({ pathname, search, hash, state: kept, key }, replace ? "replace" : "push");
  }

  function reload(): Promise<void> {
    if (state.next) return go(state.next, nextAction);
    running.abort();
    return (latest = load(state.visit.location, state.action, true));
  }

  /** Undoes a step of the viewer, and makes it again once the guard allows it. */
  async function askFirst(guard: Guard, steps: number): Promise<void> {
    const back = new Promise<void>((done) => (undone = done));
    history.go(-steps);
    if (!(await mayLeave(guard))) return;
    await back;
    allowing = guard;
    history.go(steps);
  }

  addEventListener("popstate", ({ state: to }: PopStateEvent) => {
    const reached = (to as Entry | null)?.idx;
    const steps = reached === undefined ? 0 : reached - index;
    index = reached ?? index;
    if (undone) {
      const done = undone;
      undone = undefined;
      return done();
    }
    const guard = guards.at(-1);
    const isAllowed = guard === undefined || guard === allowing || steps === 0;
    allowing = undefined;
    if (isAllowed) void go(currentLocation(), "step");
    else void askFirst(guard, steps);
  });

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    navigate,
    reload,
    guard(guard) {
      guards.push(guard);
      return () => (guards = guards.filter((one) => one !== guard));
    },
  };
}
