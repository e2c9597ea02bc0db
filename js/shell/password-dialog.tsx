/** Changes one's own password. Loaded when it is opened, or when an initial password must be changed. */

import { useRef, useState, type FormEvent } from "react";
import { api, ApiError } from "../lib/api";
import { useT } from "../lib/i18n";
import { isStrongPassword } from "../lib/password";
import { useViewer } from "../lib/props";
import { leaveNote } from "../lib/next-page";
import { leave } from "../lib/session";
import { notify } from "../lib/toast";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import type { Overlay } from "../ui/overlay";
import { PasswordField } from "../ui/password-field";

interface PasswordDialogProps {
  overlay: Overlay;
  /** The viewer has an initial password: they must change it or log out. */
  isForced: boolean;
}

type Wrong = Readonly<Partial<Record<"old" | "new" | "again", string>>>;

export default function PasswordDialog({ overlay, isForced }: PasswordDialogProps) {
  const t = useT();
  const viewer = useViewer();
  const [wrong, setWrong] = useState<Wrong>({});
  const [isSaving, setSaving] = useState(false);
  const first = useRef<HTMLInputElement>(null);

  const check = (form: FormData): Wrong => ({
    ...(form.get("old") === "" && { old: t("password.oldEmpty") }),
    ...(!isStrongPassword(String(form.get("new"))) && { new: t("password.weak") }),
    ...(form.get("new") !== form.get("again") && { again: t("password.differs") }),
  });

  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const found = check(form);
    setWrong(found);
    if (isSaving || Object.keys(found).length > 0) return;
    setSaving(true);
    try {
      await api.put("/admin/password", { old: form.get("old"), new: form.get("new") });
      // This session goes on; the account's others have ended.
      if (isForced) {
        // Until now the server has refused the data of every page.
        leaveNote("password.done");
        location.reload();
      } else {
        notify("success", t("password.done"));
        overlay.close();
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setWrong(error.fields);
      setSaving(false);
    }
  };

  return (
    <Dialog
      overlay={overlay}
      title={t("password.title")}
      shape="small"
      sticky
      initialFocus={first}
      {...(isForced && { onDismiss: () => notify("info", t("password.forced")) })}
    >
      <form className="ll-form" noValidate onSubmit={(event) => void save(event)}>
        <div className="ll-dialog-body app-stack">
          {isForced && <p className="app-note">{t("password.forced")}</p>}
          <input type="hidden" name="username" autoComplete="username" value={viewer?.username ?? ""} />
          <PasswordField ref={first} name="old" label={t("password.old")} autoComplete="current-password" error={wrong.old} />
          <PasswordField name="new" label={t("password.new")} autoComplete="new-password" hint={t("password.hint")} error={wrong.new} />
          <PasswordField name="again" label={t("password.again")} autoComplete="new-password" error={wrong.again} />
        </div>
        <footer className="ll-dialog-foot">
          {isForced ? (
            <Button onClick={() => void leave()}>{t("shell.logout")}</Button>
          ) : (
            <Button onClick={() => overlay.close()}>{t("password.cancel")}</Button>
          )}
          <Button type="submit" look="primary" busy={isSaving}>
            {t("password.save")}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
