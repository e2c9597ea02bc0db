/** Wraps every page, on the server and in the browser; both must build the same tree, or hydration would differ. */

import { type ReactNode, useEffect } from "react";
import { AppContext, type App } from "../lib/app-context";
import ToastView from "../ui/toast-view";

interface RootProps {
  app: App;
  /** Called in the browser when the whole tree works; the same function each time. */
  onReady?: () => void;
  /** The page, with or without the layout. */
  children: ReactNode;
}

export function Root({ app, onReady, children }: RootProps) {
  useEffect(() => onReady?.(), [onReady]);
  return (
    <AppContext value={app}>
      {children}
      <ToastView />
    </AppContext>
  );
}
