/** Running what a button does. */
import { ApiError } from "../lib/api";
import { useT } from "../lib/i18n";
import { notify } from "../lib/toast";

/**
 * Runs an action. The client has told the viewer what the API refused, and what is shown may be
 * stale then: it is loaded anew.
 */
export function useAct(reload: () => Promise<unknown>): (run: () => Promise<unknown>) => void {
  const t = useT();
  return (run) => {
    run().catch((error: unknown) => {
      if (error instanceof ApiError) return reload();
      console.error(error);
      notify("error", t("ui.failed"));
    });
  };
}
