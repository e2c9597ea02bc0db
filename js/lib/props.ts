/** Hooks over the page's props and the data its loads brought. */

import { useContext, useSyncExternalStore } from "react";
import { AppContext } from "./app-context";
import { today } from "./format";
import type { Router } from "./router";
import type { Envelope, Viewer } from "./types";
import { nowhere, RouterContext, useVisit } from "./visit";

/** The envelope of this route's load `name`, after hydration and after navigations. */
export function usePageData<T>(name: string): Envelope<T> {
  const envelope = useVisit().data[name];
  if (!envelope) throw new Error(`this route declares no load "${name}" in routes.json`);
  return envelope as Envelope<T>;
}

/** The data of a load, or null if the load was refused: the data of a refusal, such as faults of fields, is left out. */
export function useLoaded<T>(name: string): T | null {
  const { code, data } = usePageData<T>(name);
  return code === "0000" ? data : null;
}

/** Runs the loads of the page again, for after a change or for a refresh button; the same function each time. */
export const useReload = (): Router["reload"] => useContext(RouterContext)?.reload ?? nowhere;

/** The day in Shanghai: from the server for the first render, so that both sides render the same, then from the browser's clock. */
export function useToday(): string {
  const { props } = useContext(AppContext);
  return useSyncExternalStore(neverChanges, today, () => props.today);
}

/** The day in Shanghai for cells of tables, which hold no state: they are not compared when the page is hydrated. */
export function useTodayInCell(): string {
  const { props } = useContext(AppContext);
  return typeof document === "undefined" ? props.today : today();
}

/** The day is read at each render; no event says that a new one has begun. */
const neverChanges = () => () => {};

/** Who is signed in, or null on pages for strangers. */
export function useViewer(): Viewer | null {
  return useContext(AppContext).props.viewer;
}
