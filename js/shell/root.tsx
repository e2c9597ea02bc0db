/** Wraps every page, on the server and in the browser; both must build the same tree, or hydration would differ. */

import type { ReactNode } from "react";
import { AppContext, type App } from "../lib/app-context";
import ToastView from "../ui/toast-view";

interface RootProps {
  app: App;
  /** The router's provider. */
  children: ReactNode;
}

export function Root({ app, children }: RootProps) {
  return (
    <AppContext value={app}>
      {children}
      <ToastView />
    </AppContext>
  );
}
