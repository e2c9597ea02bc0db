/** Shows texts to read or copy: a new secret that is never shown again, or a person's details. */
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
  /** The notice above; absent: that the secret is shown only once. */
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
 * A secret that is shown only once must not disappear with one Escape: an attempt to dismiss the dialog shows
 * a message beside its button, and only the button closes it.
 */
export function useShownOnce(): { dialog: { sticky: true; onDismiss: () => void }; word: ReactNode } {
  const t = useT();
  const [attempts, setAttempts] = useState(0);
  const word = attempts > 0 && (
    // A new element each time, so that screen readers read it each time.
    <p key={attempts} className="ll-error" role="alert">
      {t("ui.secretKeep")}
    </p>
  );
  return { dialog: { sticky: true, onDismiss: () => setAttempts((before) => before + 1) }, word };
}

/** Shows secrets and waits until the viewer closes the dialog. */
export async function showSecrets(open: Open, title: string, secrets: readonly Secret[]): Promise<void> {
  await open<void>((overlay) => <SecretDialog overlay={overlay} title={title} secrets={secrets} />);
}
