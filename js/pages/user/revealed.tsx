/** Who an applicant is, whole. A lazy chunk. */
import type { RevealedUser } from "../../lib/api-types";
import { useT } from "../../lib/i18n";
import { Button } from "../../ui/button";
import { CopyButton } from "../../ui/copy-button";
import { Dialog } from "../../ui/dialog";
import { Icon } from "../../ui/icon";
import type { Overlay } from "../../ui/overlay";

interface RevealedProps {
  overlay: Overlay;
  no: string;
  revealed: RevealedUser;
}

/** The dialog that shows it, and says that this is written down. */
export function showRevealed(props: RevealedProps) {
  return <RevealedDialog {...props} />;
}

function RevealedDialog({ overlay, no, revealed: { name, phone, idNo } }: RevealedProps) {
  const t = useT();
  const items = [
    [t("user.name"), name],
    [t("user.phone"), phone],
    [t("user.idNo"), idNo],
  ] as const;
  return (
    <Dialog overlay={overlay} title={t("user.revealTitle", { no })} shape="small">
      <div className="ll-dialog-body">
        <p className="ll-alert ll-alert-warning">
          <Icon name="info" />
          {t("user.revealNote")}
        </p>
        <dl className="ll-secrets">
          {items.map(
            ([label, value]) =>
              value && (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>
                    <code>{value}</code>
                    <CopyButton text={value} what={label} />
                  </dd>
                </div>
              ),
          )}
        </dl>
      </div>
      <footer className="ll-dialog-foot">
        <Button look="primary" onClick={() => overlay.close()}>
          {t("ui.close")}
        </Button>
      </footer>
    </Dialog>
  );
}
