/** Shows what the server tells once and never again: a new secret, an initial password. */
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
}

export function SecretDialog({ overlay, title, secrets }: SecretDialogProps) {
  const t = useT();
  return (
    <Dialog overlay={overlay} title={title} shape="small" sticky>
      <div className="ll-dialog-body">
        <p className="ll-alert ll-alert-warning">
          <Icon name="warning" />
          {t("ui.secretOnce")}
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
        <Button look="primary" onClick={() => overlay.close()}>
          {t("ui.secretSaved")}
        </Button>
      </footer>
    </Dialog>
  );
}

/** Shows secrets and waits until the viewer has put them away. */
export async function showSecrets(open: Open, title: string, secrets: readonly Secret[]): Promise<void> {
  await open<void>((overlay) => <SecretDialog overlay={overlay} title={title} secrets={secrets} />);
}
