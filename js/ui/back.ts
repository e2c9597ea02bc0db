/**
 * What is open over a page is in the history: Back closes it and leaves the page as it was. Every open overlay has an
 * entry of its own with the page's address, which is removed when the overlay is closed in another way. The router does
 * not see these entries.
 *
 * An entry holds a copy of the page's state and the number of open overlays. The browser makes steps in the history
 * asynchronously, so other calls of the history wait until a step is made.
 */
import { useLayoutEffect, useRef } from "react";
import { flushSync } from "react-dom";

import { leaveAfter } from "../lib/leave-document";

interface Opened {
  close: () => void;
  /** False for a popover that was removed from the page without an event. */
  isThere: () => boolean;
}

type State = { key?: string; idx?: number; overlays?: number } | null;

/** What is open, the last one on top. */
let stack: Opened[] = [];
/** The step that the browser has not made yet: between a page and its overlays, or of the router or the page. */
let underWay: "overlay" | "page" | undefined;
/** Calls of the history that wait for that step. */
let waiting: (() => void)[] = [];
let isPlanned = false;
/** Whether the browser is loading another document. */
let isLeaving = false;
/** The browser's own functions; absent before `keepInHistory`. */
let browser: Pick<History, "pushState" | "replaceState" | "go"> | undefined;

const stateOf = (state: unknown): State => (typeof state === "object" ? (state as State) : null);
const depthOf = (state: unknown): number => stateOf(state)?.overlays ?? 0;
/** Whether an entry is of the page that is shown. */
const isSamePage = (state: unknown): boolean => {
  const [one, other] = [stateOf(state), stateOf(shown)];
  return one?.key === other?.key && one?.idx === other?.idx;
};
/** The state of the entry where one is. */
let shown: unknown;

/** Starts the bookkeeping: once for each document, before the router listens. */
export function keepInHistory(): void {
  browser = { pushState: history.pushState.bind(history), replaceState: history.replaceState.bind(history), go: history.go.bind(history) };
  history.pushState = (...args) => afterwards(() => changed(() => browser!.pushState(...args)));
  history.replaceState = (...args) => afterwards(() => changed(() => browser!.replaceState(...args)));
  history.go = (steps = 0) => afterwards(() => stepped(steps));
  history.back = () => history.go(-1);
  history.forward = () => history.go(1);
  shown = history.state;
  addEventListener("popstate", popped, true);
  leaveAfter((leave) =>
    afterwards(() => {
      isLeaving = true;
      leave();
    }),
  );
  // A step to another document fires no event here: the page may be shown again as it was.
  addEventListener("pageshow", (event) => event.persisted && ((underWay = undefined), (isLeaving = false)));
  // A reloaded page has nothing open.
  if (depthOf(shown) > 0) step(-depthOf(shown));
  document.addEventListener(
    "toggle",
    (event) => event.newState === "open" && event.target instanceof HTMLElement && openedPopover(event.target),
    true,
  );
  document.addEventListener(
    "beforetoggle",
    (event) => event.newState === "closed" && event.target instanceof HTMLElement && popovers.get(event.target)?.(),
    true,
  );
}

const isOverlayStepUnderWay = () => underWay === "overlay";

/** Closes an overlay by Back as long as it is open. */
export function useBack(isOpen: boolean, close: () => void): void {
  const latest = useRef(close);
  useLayoutEffect(() => {
    latest.current = close;
  });
  useLayoutEffect(() => (isOpen ? opened({ close: () => latest.current(), isThere: () => true }) : undefined), [isOpen]);
}

/** Records an open overlay; returns the function to call when it is closed. */
function opened(overlay: Opened): () => void {
  // The document that was to be loaded was a file, or the viewer stayed.
  isLeaving = false;
  stack.push(overlay);
  plan();
  return () => {
    stack = stack.filter((one) => one !== overlay);
    plan();
  };
}

const popovers = new Map<HTMLElement, () => void>();

function openedPopover(element: HTMLElement): void {
  if (popovers.has(element) || !element.hasAttribute("popover")) return;
  const isThere = () => element.isConnected && element.matches(":popover-open");
  if (!isThere()) return;
  const gone = opened({ close: () => element.hidePopover(), isThere });
  popovers.set(element, () => {
    popovers.delete(element);
    gone();
  });
}

/** Schedules `syncHistory`: one overlay often opens where another one closes. */
function plan(): void {
  if (isPlanned || !browser) return;
  isPlanned = true;
  queueMicrotask(() => {
    isPlanned = false;
    syncHistory();
  });
}

/** Adds or removes entries until the history has one for each open overlay. */
function syncHistory(): void {
  if (underWay || isLeaving || !browser) return;
  for (const [element, gone] of popovers) if (!element.isConnected) gone();
  const depth = depthOf(shown);
  if (depth > stack.length) return step(stack.length - depth);
  for (let overlays = depth + 1; overlays <= stack.length; overlays++) {
    // The page keeps its scroll position when an overlay closes.
    history.scrollRestoration = "manual";
    changed(() => browser!.pushState({ ...stateOf(history.state), overlays }, ""));
  }
}

function changed(change: () => void): void {
  change();
  shown = history.state;
}

/** Makes a step between a page and its overlays. */
function step(steps: number): void {
  underWay = "overlay";
  if (steps > 0) history.scrollRestoration = "manual";
  browser!.go(steps);
}

/** Makes a step that the router or the page has called for. */
function stepped(steps: number): void {
  if (steps !== 0) underWay = "page";
  browser!.go(steps);
}

/** Makes a call of the router or the page on the history, once the history stands on the entry of the page. */
function afterwards(act: () => void): void {
  if (!underWay && depthOf(shown) > 0) step(-depthOf(shown));
  if (underWay === "overlay" || waiting.length > 0) waiting.push(act);
  else act();
}

function popped(event: PopStateEvent): void {
  const made = underWay;
  underWay = undefined;
  const depth = depthOf(event.state);
  const isSame = isSamePage(event.state);
  shown = event.state;
  if (depth === 0) history.scrollRestoration = "auto";
  if (made === "overlay") {
    event.stopImmediatePropagation();
    const acts = waiting;
    waiting = [];
    while (acts.length > 0 && !isOverlayStepUnderWay()) acts.shift()!();
    waiting = [...acts, ...waiting];
    return plan();
  }
  if (!isSame) {
    // The entry of an overlay of another page, which is closed by now: go to that page itself.
    if (depth > 0) {
      event.stopImmediatePropagation();
      browser!.go(-depth);
    }
    return plan();
  }
  if (depth === 0 && stack.length === 0) return;
  event.stopImmediatePropagation();
  while (stack.length > depth) {
    const top = stack.at(-1)!;
    flushSync(() => top.isThere() && top.close());
    // The overlay asks first, or is saving.
    if (top.isThere() && stack.includes(top)) break;
    stack = stack.filter((one) => one !== top);
  }
  // Undo a step forward to a closed overlay, and a step back from one that stays open.
  if (depth !== stack.length) step(stack.length - depth);
}
