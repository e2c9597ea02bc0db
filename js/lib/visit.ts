/** Hooks over the page that is shown, its address and the router. */

import { createContext, useContext } from "react";
import type { PageLocation, Router, Visit } from "./router";

export const VisitContext = createContext<Visit>(null as never);

/** The address whose page is being loaded. */
export const NextContext = createContext<PageLocation | null>(null);

/** The router; null on the server, where nothing is opened. */
export const RouterContext = createContext<Router | null>(null);

/** The page that is shown. */
export const useVisit = (): Visit => useContext(VisitContext);

/** The address of the page that is shown. */
export const useLocation = (): PageLocation => useVisit().location;

/** The address whose page is being loaded; null if none is. */
export const useNext = (): PageLocation | null => useContext(NextContext);

/** Takes the place of the router's functions on the server. */
export const nowhere = (): Promise<void> => Promise.reject(new Error("there is no router here"));

/** Opens addresses; the same function each time. */
export const useNavigate = (): Router["navigate"] => useContext(RouterContext)?.navigate ?? nowhere;
