/**
 * The frame of everything that opens over a page, a dialog or a drawer: title,
 * focus kept inside and given back, Escape, scroll lock. Lazy chunks only: the
 * server never renders it.
 */
import { Dialog as Base } from "@base-ui/react/dialog";
import type { KeyboardEvent, ReactNode, RefObject } from "react";

import { useT } from "../lib/i18n";
import { useBack } from "./back";
import { Icon } from "./icon";
import type { Overlay } from "./overlay-types";
import { returnFocus } from "./return-focus";
import "./dialog.css";

const SHAPES = {
  small: "ll-dialog ll-dialog-small",
  drawer: "ll-dialog ll-dialog-drawer",
  narrow: "ll-dialog ll-dialog-drawer ll-dialog-narrow",
  wide: "ll-dialog ll-dialog-drawer ll-dialog-wide",
} as const;

interface DialogProps<R> {
  overlay: Overlay<R>;
  title: string;
  /** `small`: a question. `drawer`: from the right edge, as tall as the window. */
  shape?: keyof typeof SHAPES;
  /** Called instead of closing when the viewer dismisses it. */
  onDismiss?: () => void;
  /** A press beside the dialog does not close it, since typed text would be lost. */
  sticky?: boolean;
  /** The element with the first focus; absent: the first one that can have it. */
  initialFocus?: RefObject<HTMLElement | null> | (() => HTMLElement | null);
  onKeyDown?: (event: KeyboardEvent) => void;
  children: ReactNode;
}

export function Dialog<R>({ overlay, title, shape, onDismiss, sticky, initialFocus, onKeyDown, children }: DialogProps<R>) {
  const t = useT();
  const returnTo = overlay.returnTo;
  const dismiss = () => (onDismiss ?? overlay.close)();
  useBack(overlay.open, dismiss);
  return (
    <Base.Root
      open={overlay.open}
      disablePointerDismissal={sticky}
      onOpenChange={(open) => {
        if (!open) dismiss();
      }}
      onOpenChangeComplete={(open) => {
        if (!open) overlay.closed();
      }}
    >
      <Base.Portal>
        <Base.Backdrop className="ll-scrim" forceRender />
        <Base.Popup
          className={shape ? SHAPES[shape] : "ll-dialog"}
          initialFocus={initialFocus}
          onKeyDown={onKeyDown}
          finalFocus={() => returnFocus(returnTo)}
        >
          <div className="ll-dialog-head">
            <Base.Title className="ll-dialog-title" tabIndex={-1}>
              {title}
            </Base.Title>
            <Base.Close className="ll-btn ll-btn-text ll-btn-icon" aria-label={t("ui.close")}>
              <Icon name="close" />
            </Base.Close>
          </div>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
