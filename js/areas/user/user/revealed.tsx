/** The full personal details of an applicant. A lazy chunk. */
import type { RevealedUser } from "../../../lib/api-types";
import { useT } from "../../../lib/i18n";
import type { Overlay } from "../../../ui/overlay";
import { SecretDialog } from "../../../ui/secret-dialog";

interface RevealedProps {
  overlay: Overlay;
  no: string;
  revealed: RevealedUser;
}

/** The dialog that shows them, with the notice that this is recorded. */
export function showRevealed(props: RevealedProps) {
  return <RevealedDialog {...props} />;
}

function RevealedDialog({ overlay, no, revealed: { name, phone, idNo, deviceId } }: RevealedProps) {
  const t = useT();
  const secrets = [
    { label: t("user.name"), value: name },
    { label: t("user.phone"), value: phone },
    ...(idNo ? [{ label: t("user.idNo"), value: idNo }] : []),
    ...(deviceId ? [{ label: t("user.device"), value: deviceId }] : []),
  ];
  return <SecretDialog overlay={overlay} title={t("user.revealTitle", { no })} secrets={secrets} note={t("user.revealNote")} />;
}
