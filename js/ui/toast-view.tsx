/** Shows the messages of js/lib/toast: screen readers announce them, and each can be closed. */
import { useSyncExternalStore } from "react";

import { useT } from "../lib/i18n";
import { dismiss, serverToasts, subscribe, type ToastKind, toasts } from "../lib/toast";
import { Icon, type IconName } from "./icon";

const icons: Record<ToastKind, IconName> = { success: "check", error: "warning", info: "info" };

/** Mounted once, in the root. The live region is on the page from the start: screen readers would not announce one that is added later. */
export default function ToastView() {
  const t = useT();
  const shown = useSyncExternalStore(subscribe, toasts, serverToasts);
  return (
    <div className="ll-toasts" role="status" aria-live="polite" aria-atomic="false">
      {shown.map(({ id, kind, text }) => (
        <div key={id} className={`ll-toast ll-toast-${kind}`}>
          <Icon name={icons[kind]} />
          <span>{text}</span>
          <button type="button" className="ll-toast-close" aria-label={t("ui.close")} onClick={() => dismiss(id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}
