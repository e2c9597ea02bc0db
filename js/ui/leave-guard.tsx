/** Asks before typed text is lost. */
import { useContext, useEffect, useEffectEvent } from "react";

import { holdLogin } from "../lib/expired";
import { useT } from "../lib/i18n";
import { RouterContext } from "../lib/visit";
import { confirm, type Open } from "./overlay";

interface LeaveOptions {
  /** Opens the dialogs over the text. */
  open: Open;
  /** Called when the page is left after all. */
  left?: () => void;
  /** Whether a draft of the text outlives the page, so that it may be left for the login page without a question. */
  hasDraft?: () => boolean;
}

/**
 * While typed text is unsaved, asks before the page is left, also by the browser's back or by closing the tab; and if the
 * login expires, the user signs in again over the text. Returns the question, for other ways to discard the text.
 */
export function useLeaveGuard(unsaved: boolean, { open, left, hasDraft }: LeaveOptions): () => Promise<boolean> {
  const t = useT();
  const router = useContext(RouterContext);
  const mayDiscard = () =>
    confirm(open, { title: t("ui.discardTitle"), text: t("ui.discardText"), confirm: t("ui.discard"), danger: true });
  const mayLeave = useEffectEvent(async () => {
    // The menu with the link that was followed, a drawer on narrow screens, would cover the question.
    for (const popover of document.querySelectorAll<HTMLElement>(":popover-open")) popover.hidePopover();
    const leaves = await mayDiscard();
    if (leaves) left?.();
    return leaves;
  });
  const signInAgain = useEffectEvent(async () => {
    const { SignInDialog } = await import("./sign-in-dialog");
    for (;;) {
      if (await open<boolean>((overlay) => <SignInDialog overlay={overlay} />)) return true;
      if (hasDraft?.() || (await mayDiscard())) return false;
    }
  });
  useEffect(() => {
    if (!unsaved) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    const stop = router?.guard(() => mayLeave());
    const release = holdLogin(async () => {
      const isIn = await signInAgain();
      // The user has chosen the login page.
      if (!isIn) removeEventListener("beforeunload", warn);
      return isIn;
    });
    return () => {
      removeEventListener("beforeunload", warn);
      stop?.();
      release();
    };
  }, [unsaved, router]);
  return mayDiscard;
}
