/**
 * Turns plain links and GET forms into navigations without loading a document. One listener each
 * for the whole page: the markup stays what works without JavaScript, and costs nothing to render.
 */

import type { Router } from "../lib/router";
import { FROM_TAB, isFromTab, keepScroll } from "./tab-scroll";

/** Follows links and GET forms to addresses of this origin; the router loads those that are no pages as documents. */
export function followLinks(router: Router): void {
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (link.target !== "" && link.target !== "_self") return;
    if (link.hasAttribute("download") || !link.hasAttribute("href") || link.origin !== location.origin) return;
    const isFragment = link.hash !== "" && link.pathname === location.pathname && link.search === location.search;
    if (isFragment || isFile(link.pathname)) return;
    event.preventDefault();
    const { pathname, search, state: kept } = router.state().visit.location;
    // The tabs of a record's page share one history entry: Back goes to the list.
    const replace = link.dataset["replace"] !== undefined;
    const state = link.dataset["tab"] !== undefined ? FROM_TAB : replace ? kept : { from: pathname + search };
    void router.navigate(link.pathname + link.search + link.hash, { state, replace });
  });

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || event.defaultPrevented || form.method !== "get") return;
    // By the attribute: a field may be named "action".
    const action = new URL(form.getAttribute("action") ?? "", location.href);
    if (action.origin !== location.origin) return;
    event.preventDefault();
    void router.navigate(action.pathname + formSearch(new FormData(form, event.submitter)));
  });
}

/** Whether a path is that of a file, which the browser saves while the page stays. */
const isFile = (pathname: string) => /^\/(api|assets|exports|files)\//.test(pathname);

/** Calls `prepare` once, as soon as a pointer or the focus reaches a link. */
export function beforeLinks(prepare: () => void): void {
  const kinds = ["pointerover", "focusin", "touchstart"] as const;
  const reached = ({ target }: Event) => {
    if (!(target instanceof Element) || !target.closest("a[href]")) return;
    for (const kind of kinds) document.removeEventListener(kind, reached);
    prepare();
  };
  for (const kind of kinds) document.addEventListener(kind, reached, { passive: true });
}

/** What every navigation does besides showing a page: a thin progress bar, scroll to top. */
export function accompany(router: Router): void {
  let last = router.state().visit.location;
  let busy = false;
  router.subscribe(({ visit: { location }, next, action }) => {
    const isBusy = next !== null;
    if (isBusy !== busy) {
      busy = isBusy;
      void import("./progress").then(({ showProgress }) => showProgress(busy));
    }
    if (location.key === last.key) return;
    keepScroll(last.pathname + last.search);
    last = location;
    // A step through the history restores the scroll position, and so does a tab.
    if (action !== "step" && !isFromTab(location.state)) scrollTo(0, 0);
  });
}

function formSearch(form: FormData): string {
  const query = new URLSearchParams();
  for (const [name, value] of form) {
    if (typeof value === "string" && value !== "") query.append(name, value);
  }
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}
