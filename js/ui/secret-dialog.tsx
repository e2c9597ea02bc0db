/** Shows what is to be read or copied whole: a new secret that is never shown again, or who somebody is. */
import { type ReactNode, useState } from "react";

import { useT } from "../lib/i18n";
import { Button } from "./button";
import { CopyButton } from "./copy-button";
import { Dialog } from "./dialog";
import { Icon } from "./icon";
import type { Open, Overlay } from "./overlay";

/** One thing to be copied. */
export interface Secret {
  label: string;
  value: string;
}

interface SecretDialogProps {
  overlay: Overlay;
  title: string;
  secrets: readonly Secret[];
  /** What is said of it; without it, that it is shown this once. */
  note?: string;
}

export function SecretDialog({ overlay, title, secrets, note }: SecretDialogProps) {
  const t = useT();
  const once = useShownOnce();
  return (
    <Dialog overlay={overlay} title={title} shape="small" {...(note === undefined && once.dialog)}>
      <div className="ll-dialog-body">
        <p className="ll-alert ll-alert-warning">
          <Icon name={note === undefined ? "warning" : "info"} />
          {note ?? t("ui.secretOnce")}
        </p>
        <dl className="ll-secrets">
          {secrets.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                <code>{value}</code>
                <CopyButton text={value} what={label} />
              </dd>
            </div>
          ))}
        </dl>
      </div>
      <footer className="ll-dialog-foot">
        {once.word}
        <Button look="primary" onClick={() => overlay.close()}>
          {t(note === undefined ? "ui.secretSaved" : "ui.close")}
        </Button>
      </footer>
    </Dialog>
  );
}

/**
 * What is shown this once must not go with one Escape: an attempt to dismiss the dialog is answered
 * with a word, which stands beside its button, and only that closes it.
 */
export function useShownOnce(): { dialog: { sticky: true; onDismiss: () => void }; word: ReactNode } {
  const t = useT();
  const [attempts, setAttempts] = useState(0);
  const word = attempts > 0 && (
    // Anew each time, so that it is said each time.
    <p key={attempts} className="ll-error" role="alert">
      {t("ui.secretKeep")}
    </p>
  );
  return { dialog: { sticky: true, onDismiss: () => setAttempts((before) => before + 1) }, word };
}

/** Shows secrets and waits until the viewer has put them away. */
export async function showSecrets(open: Open, title: string, secrets: readonly Secret[]): Promise<void> {
  await open<void>((overlay) => <SecretDialog overlay={overlay} title={title} secrets={secrets} />);
}
