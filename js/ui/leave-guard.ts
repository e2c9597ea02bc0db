/** Asks before typed text is lost. */
import { useContext, useEffect, useEffectEvent } from "react";

import type { Translate } from "../lib/i18n";
import { RouterContext } from "../lib/visit";
import { confirm, type Open } from "./overlay";

/** The question before typed text is discarded. */
export const askToDiscard = (open: Open, t: Translate) =>
  confirm(open, { title: t("ui.discardTitle"), text: t("ui.discardText"), confirm: t("ui.discard"), danger: true });

/**
 * While typed text is unsaved, asks before the page is left, also by the browser's
 * back or by closing the tab. `left` is called when the page is left after all.
 */
export function useLeaveGuard(unsaved: boolean, ask: () => Promise<boolean>, left?: () => void): void {
  const router = useContext(RouterContext);
  const mayLeave = useEffectEvent(async () => {
    // The menu with the link that was followed, a drawer on narrow screens, would cover the question.
    for (const popover of document.querySelectorAll<HTMLElement>(":popover-open")) popover.hidePopover();
    const leaves = await ask();
    if (leaves) left?.();
    return leaves;
  });
  useEffect(() => {
    if (!unsaved) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    const stop = router?.guard(() => mayLeave());
    return () => {
      removeEventListener("beforeunload", warn);
      stop?.();
    };
  }, [unsaved, router]);
}
