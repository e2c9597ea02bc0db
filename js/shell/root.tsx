/** What is around every page on both sides; both must build the same tree, or hydration would differ. */

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
