/** A refusal with the address of what lifts it: it stays until the viewer closes it or goes there. A lazy chunk. */
import { useRef } from "react";

import type { ApiError } from "../lib/api";
import { useT } from "../lib/i18n";
import { Button, buttonClass } from "./button";
import { Dialog } from "./dialog";
import { Icon } from "./icon";
import type { Open, Overlay } from "./overlay-types";

/** Shows it; resolves when it is closed. */
export const showRefusal = (open: Open, error: ApiError) => open<void>((overlay) => <RefusalDialog overlay={overlay} error={error} />);

function RefusalDialog({ overlay, error: { desc, cure } }: { overlay: Overlay<void>; error: ApiError }) {
  const t = useT();
  const link = useRef<HTMLAnchorElement>(null);
  return (
    <Dialog overlay={overlay} title={t("ui.refused")} shape="small" initialFocus={link}>
      <div className="ll-dialog-body ll-question">
        <Icon name="warning" className="ll-warn" />
        <div role="alert">{desc}</div>
      </div>
      <footer className="ll-dialog-foot">
        <Button onClick={() => overlay.close()}>{t("ui.close")}</Button>
        <a ref={link} className={buttonClass("primary")} href={cure}>
          {t("ui.lookAt")}
        </a>
      </footer>
    </Dialog>
  );
}
