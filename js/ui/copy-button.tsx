/** Copies a text, and shows at the button that it did. */
import { useEffect, useState } from "react";

import { useT } from "../lib/i18n";
import { notify } from "../lib/toast";
import { IconButton } from "./button";

/** How long the tick stays. */
const DONE_MS = 1500;

/** `what` names the text for screen readers. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const t = useT();
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(false), DONE_MS);
    return () => clearTimeout(timer);
  }, [done]);
  const copy = () =>
    copyText(text).then(
      () => setDone(true),
      () => notify("error", t("ui.copyFailed")),
    );
  return <IconButton small icon={done ? "check" : "copy"} label={t(done ? "ui.copied" : "ui.copy", { what })} onClick={copy} />;
}

/** Copies a text. The clipboard exists on secure origins only; on plain http the old command is used. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "ll-offscreen";
  const focused = document.activeElement;
  // Inside an open dialog, since the rest of the page cannot take the focus.
  (focused?.closest("[role=dialog]") ?? document.body).append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  if (!copied) throw new Error("the browser refused to copy");
}
