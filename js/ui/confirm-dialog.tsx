/** The question behind `confirm()` of ./overlay. */
import { useRef } from "react";

import { useT } from "../lib/i18n";
import { Button } from "./button";
import { Dialog } from "./dialog";
import { Icon } from "./icon";
import type { Overlay, Question } from "./overlay-types";

export function ConfirmDialog({ overlay, title, text, confirm, danger }: Question & { overlay: Overlay<boolean> }) {
  const t = useT();
  const cancel = useRef<HTMLButtonElement>(null);
  const agree = useRef<HTMLButtonElement>(null);
  return (
    <Dialog overlay={overlay} title={title} shape="small" initialFocus={danger ? cancel : agree}>
      <div className="ll-dialog-body ll-question">
        <Icon name={danger ? "warning" : "info"} className={danger ? "ll-warn" : "ll-note"} />
        <div>{text}</div>
      </div>
      <footer className="ll-dialog-foot">
        <Button ref={cancel} onClick={() => overlay.close(false)}>
          {t("ui.cancel")}
        </Button>
        <Button ref={agree} look={danger ? "danger" : "primary"} onClick={() => overlay.close(true)}>
          {confirm ?? t("ui.ok")}
        </Button>
      </footer>
    </Dialog>
  );
}
