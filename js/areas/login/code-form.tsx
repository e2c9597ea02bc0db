/**
 * The second step of a login: a code of the authenticator, or a recovery code. A real form like the
 * first one, so that it works without JavaScript.
 */

import { useContext, useEffect, useRef, useState, type FormEvent } from "react";
import { ApiError, TRANSPORT } from "../../lib/api";
import { AppContext } from "../../lib/app-context";
import { LAPSED, logInByCode } from "../../lib/log-in";
import { leaveNote } from "../../lib/next-page";
import { formatQuery } from "../../lib/query-string";
import { keepLogin } from "../../lib/session";
import { Button } from "../../ui/button";
import { CodeField } from "../../ui/code-field";
import { askedFor, pageAfterLogin } from "./after-login";

interface CodeFormProps {
  /** The ticket that the server returned for the right password. */
  ticket: string;
  failure: string | undefined;
  /** Goes back to the password form, with the reason. */
  onLeave: (reason: string) => void;
}

export function CodeForm({ ticket, failure, onLeave }: CodeFormProps) {
  const { props, t } = useContext(AppContext);
  const { redirect, query } = askedFor(props.url);
  const [wrong, setWrong] = useState(failure);
  const [isBusy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const code = input.current!.value.trim();
    setWrong(code === "" ? t("code.empty") : undefined);
    if (code === "" || isBusy) return;
    setBusy(true);
    try {
      keepLogin(await logInByCode(ticket, code));
      leaveNote("login.success");
      location.assign(await pageAfterLogin(redirect, query));
    } catch (error) {
      setBusy(false);
      if (!(error instanceof ApiError)) throw error;
      if (error.code === LAPSED) return onLeave(error.desc);
      setWrong(error.code === TRANSPORT ? t("login.error") : (error.fields["code"] ?? error.desc));
      input.current!.select();
    }
  };

  return (
    <form className="app-login-form" method="post" action="/login" noValidate onSubmit={(event) => void submit(event)}>
      <h1>{t("code.title")}</h1>
      <p className="app-login-subtitle">{t("code.text")}</p>
      <input type="hidden" name="redirect" value={redirect} />
      <input type="hidden" name="query" value={formatQuery(query).slice(1)} />
      <input type="hidden" name="ticket" value={ticket} />
      <CodeField ref={input} label={t("code.label")} hint={t("code.hint")} error={wrong} />
      <Button type="submit" look="primary" className="app-login-submit" busy={isBusy}>
        {t("code.submit")}
      </Button>
      <a
        className="app-link app-login-register"
        href="/login"
        onClick={(event) => {
          event.preventDefault();
          onLeave("");
        }}
      >
        {t("code.back")}
      </a>
    </form>
  );
}
