/**
 * What is open over a page is in the history: Back closes it and leaves the page as it was. Every open overlay has an
 * entry of its own with the page's address, which goes when the overlay is closed in another way. The router hears
 * nothing of these entries.
 *
 * A copy of the page's state is kept in an entry, with the number of overlays that are open there. Steps in the history
 * are made by the browser in its own time, so what others ask of the history meanwhile waits for them.
 */
import { useLayoutEffect, useRef } from "react";
import { flushSync } from "react-dom";

import { leaveAfter } from "../lib/leave-document";

interface Opened {
  close: () => void;
  /** False when it went without a word: a popover that was taken out of the page. */
  isThere: () => boolean;
}

type State = { key?: string; idx?: number; overlays?: number } | null;

/** What is open, the last one on top. */
let stack: Opened[] = [];
/** Steps of ours, or of the router's, that the browser has not made yet. */
let underWay: "ours" | "theirs" | undefined;
/** What waits for them. */
let waiting: (() => void)[] = [];
let isPlanned = false;
/** Another document is on its way. */
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

/** Begins: once a document, before the router listens. */
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
  // A step to another document is never heard of: the page may be shown again as it was.
  addEventListener("pageshow", (event) => event.persisted && ((underWay = undefined), (isLeaving = false)));
  // A page that is loaded anew has nothing open.
  if (depthOf(shown) > 0) step(-depthOf(shown));
  document.addEventListener("toggle", (event) => event.newState === "open" && event.target instanceof HTMLElement && openedPopover(event.target), true);
  document.addEventListener("beforetoggle", (event) => event.newState === "closed" && event.target instanceof HTMLElement && popovers.get(event.target)?.(), true);
}

const isOursUnderWay = () => underWay === "ours";

/** Closes an overlay by Back as long as it is open. */
export function useBack(isOpen: boolean, close: () => void): void {
  const latest = useRef(close);
  useLayoutEffect(() => {
    latest.current = close;
  });
  useLayoutEffect(() => (isOpen ? opened({ close: () => latest.current(), isThere: () => true }) : undefined), [isOpen]);
}

/** Something has opened; answers what to call when it is closed. */
function opened(overlay: Opened): () => void {
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

/** Brings the history to what is open: soon, as one overlay often opens where another one closes. */
function plan(): void {
  if (isPlanned || !browser) return;
  isPlanned = true;
  queueMicrotask(() => {
    isPlanned = false;
    settle();
  });
}

function settle(): void {
  if (underWay || isLeaving || !browser) return;
  for (const [element, gone] of popovers) if (!element.isConnected) gone();
  const depth = depthOf(shown);
  if (depth > stack.length) return step(stack.length - depth);
  for (let overlays = depth + 1; overlays <= stack.length; overlays++) {
    // Nobody moves when an overlay closes: the page is where its reader has scrolled to.
    history.scrollRestoration = "manual";
    changed(() => browser!.pushState({ ...stateOf(history.state), overlays }, ""));
  }
}

function changed(change: () => void): void {
  change();
  shown = history.state;
}

/** A step of ours between a page and what is open over it. */
function step(steps: number): void {
  underWay = "ours";
  if (steps > 0) history.scrollRestoration = "manual";
  browser!.go(steps);
}

/** A step that somebody else has asked for. */
function stepped(steps: number): void {
  if (steps !== 0) underWay = "theirs";
  browser!.go(steps);
}

/** Does what others ask of the history, of the page and not of what is open over it. */
function afterwards(act: () => void): void {
  if (!underWay && depthOf(shown) > 0) step(-depthOf(shown));
  if (underWay === "ours" || waiting.length > 0) waiting.push(act);
  else act();
}

function popped(event: PopStateEvent): void {
  const made = underWay;
  underWay = undefined;
  const depth = depthOf(event.state);
  const isSame = isSamePage(event.state);
  shown = event.state;
  if (depth === 0) history.scrollRestoration = "auto";
  if (made === "ours") {
    event.stopImmediatePropagation();
    const acts = waiting;
    waiting = [];
    while (acts.length > 0 && !isOursUnderWay()) acts.shift()!();
    waiting = [...acts, ...waiting];
    return plan();
  }
  if (!isSame) {
    // An entry of what was open over another page, which is not there any more: the page itself is meant.
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
    // It asks first, or is about to save.
    if (top.isThere() && stack.includes(top)) break;
    stack = stack.filter((one) => one !== top);
  }
  // Forward to what is closed leads nowhere; back from what stays open neither.
  if (depth !== stack.length) step(stack.length - depth);
}
