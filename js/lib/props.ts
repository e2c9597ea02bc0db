/** Hooks over the page's props and the data its loads brought. */

import { useCallback, useContext, useSyncExternalStore } from "react";
import { useLoaderData, useRevalidator } from "react-router";
import { AppContext } from "./app-context";
import { today } from "./format";
import type { Envelope, Viewer } from "./types";

/** Answers of a route's loads by name, from the server's props or from the browser's own calls. */
export type PageData = Readonly<Record<string, Envelope<unknown>>>;

/** The envelope of this route's load `name`, after hydration and after navigations. */
export function usePageData<T>(name: string): Envelope<T> {
  const envelope = useLoaderData<PageData>()[name];
  if (!envelope) throw new Error(`this route declares no load "${name}" in routes.json`);
  return envelope as Envelope<T>;
}

/** The data of a load, or null if the load was refused: the data of a refusal, such as faults of fields, is left out. */
export function useLoaded<T>(name: string): T | null {
  const { code, data } = usePageData<T>(name);
  return code === "0000" ? data : null;
}

/** Runs the loads of the page again, for after a change or for a refresh button. */
export function useReload(): () => Promise<void> {
  const { revalidate } = useRevalidator();
  return useCallback(() => revalidate(), [revalidate]);
}

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
