/** Over unsaved text whose user's login has expired: the same account signs in again. Loaded when it is opened. */
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";

import { ApiError, TRANSPORT } from "../lib/api";
import { useT } from "../lib/i18n";
import { LAPSED, logIn, logInByCode } from "../lib/log-in";
import { useViewer } from "../lib/props";
import { isSignedIn, keepLogin, leave, onSignInElsewhere } from "../lib/session";
import { Button } from "./button";
import { CodeField } from "./code-field";
import { Dialog } from "./dialog";
import { Icon } from "./icon";
import type { Overlay } from "./overlay-types";
import { PasswordField } from "./password-field";

/** Ctrl+Enter submits the form under the dialog, in whose tree the dialog is. */
function keepFromForm(event: KeyboardEvent): void {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.stopPropagation();
}

/** Closes with whether the account is signed in again; dismissed: it is not. */
export function SignInDialog({ overlay }: { overlay: Overlay<boolean> }) {
  const t = useT();
  const { id, username } = useViewer()!;
  const [ticket, setTicket] = useState<string | null>(null);
  const [wrong, setWrong] = useState("");
  const [failure, setFailure] = useState("");
  const [isBusy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const { close } = overlay;
  const done = useRef(close);
  useEffect(() => onSignInElsewhere(id, () => done.current(true)), [id]);
  // The second step replaces the field.
  useEffect(() => input.current?.focus(), [ticket]);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    // In React's tree the dialog may be within the form that it covers.
    event.stopPropagation();
    const typed = input.current!.value;
    setFailure("");
    setWrong(typed.trim() !== "" ? "" : t(ticket === null ? "login.passwordEmpty" : "code.empty"));
    if (typed.trim() === "" || isBusy) return;
    setBusy(true);
    try {
      const login = ticket === null ? await logIn(username, typed) : await logInByCode(ticket, typed.trim());
      if ("ticket" in login) return setTicket(login.ticket);
      keepLogin(login);
      // Another account has been given this name.
      if (!isSignedIn(id)) return void leave();
      // Without a new password or a second factor, which the login page leads to, nothing can be saved.
      close(!login.user.mustChangePwd && !login.user.mustEnrol);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const field = ticket === null ? "password" : "code";
      const message = error.code === TRANSPORT ? t("ui.failed") : error.desc;
      if (error.code === LAPSED && ticket !== null) {
        setTicket(null);
        setFailure(message);
      } else if (ticket !== null || error.fields[field]) {
        setWrong(error.fields[field] ?? message);
        input.current!.select();
      } else setFailure(message);
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog overlay={overlay} title={t("ui.signInTitle")} shape="small" sticky initialFocus={input} onKeyDown={keepFromForm}>
      <form className="ll-form" noValidate onSubmit={(event) => void submit(event)}>
        <div className="ll-dialog-body grid gap-4">
          <p>{t("ui.signInText")}</p>
          {failure && (
            <p className="ll-alert ll-alert-error" role="alert">
              <Icon name="warning" />
              {failure}
            </p>
          )}
          <div className="ll-field">
            <label className="ll-label" htmlFor="again-username">
              {t("login.userName")}
            </label>
            <input id="again-username" className="ll-input" name="username" autoComplete="username" readOnly value={username} />
          </div>
          {ticket === null ? (
            <PasswordField
              key="password"
              ref={input}
              name="password"
              label={t("login.password")}
              autoComplete="current-password"
              error={wrong || undefined}
            />
          ) : (
            <CodeField key="code" ref={input} label={t("code.label")} hint={t("code.hint")} error={wrong || undefined} />
          )}
        </div>
        <footer className="ll-dialog-foot">
          <Button onClick={() => close(false)}>{t("ui.cancel")}</Button>
          <Button type="submit" look="primary" busy={isBusy}>
            {t("login.submit")}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
