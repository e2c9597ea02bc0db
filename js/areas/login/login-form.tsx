/**
 * User name and password. A real form: without JavaScript it posts to /login, which answers with a
 * page; with it, the login call is made here and the requested page is opened.
 */

import { useContext, useEffect, useRef, useState, type FormEvent } from "react";
import { ApiError, TRANSPORT } from "../../lib/api";
import { AppContext } from "../../lib/app-context";
import { halfWidth, trimmed } from "../../lib/canonical";
import { logIn } from "../../lib/log-in";
import { leaveNote } from "../../lib/next-page";
import { formatQuery } from "../../lib/query-string";
import { clearToken, getToken, keepLogin, takeReason } from "../../lib/session";
import { notify } from "../../lib/toast";
import type { LoginError } from "../../lib/types";
import type { MessageKey, Translate } from "../../lib/i18n";
import { Button } from "../../ui/button";
import { Icon } from "../../ui/icon";
import { askedFor, pageAfterLogin } from "./after-login";
import { keepPassword, keepUserName, rememberedUserName } from "./remember";

const SERVER_ERRORS: Readonly<Partial<Record<LoginError["kind"], MessageKey>>> = {
  credentials: "login.credentials",
  credentialsOrAddress: "login.credentialsOrAddress",
  address: "login.address",
  locked: "login.locked",
  empty: "login.empty",
  stale: "login.stale",
  busy: "login.busy",
  lapsed: "login.lapsed",
};

/** Code of the refusal after too many tries. */
const TOO_MANY = "4029";

type Wrong = Readonly<Partial<Record<"username" | "password", string>>>;

interface LoginFormProps {
  /** Why the second step has returned to this form; empty if it has not. */
  failure: string;
  onForgot: () => void;
  /** Called when the password was right and a code is needed, with the ticket for it. */
  onOwed: (ticket: string) => void;
}

export function LoginForm({ failure: before, onForgot, onOwed }: LoginFormProps) {
  const { props, t } = useContext(AppContext);
  const { redirect, query } = askedFor(props.url);
  const [failure, setFailure] = useState(before || whatServerSays(props.loginError, t));
  const [reason, setReason] = useState("");
  const [wrong, setWrong] = useState<Wrong>({});
  const [isBusy, setBusy] = useState(false);
  const [isShown, setShown] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  // A token that is still stored means that the session has expired or was ended.
  useEffect(() => setReason(takeReason() ?? (getToken() === null ? "" : t("login.ended"))), [t]);

  useEffect(() => {
    const name = rememberedUserName();
    const input = field(form.current, "username");
    const remember = field(form.current, "remember");
    if (name === null || !input || !remember) return;
    remember.checked = true;
    if (input.value === "") input.value = name;
  }, []);

  const check = (): Wrong => ({
    ...(!field(form.current, "username")?.value.trim() && { username: t("login.userNameEmpty") }),
    ...(!field(form.current, "password")?.value && { password: t("login.passwordEmpty") }),
  });
  /** Checks only this field, on blur and while it is corrected. */
  const recheck = (name: keyof Wrong) => () => setWrong((before) => ({ ...before, [name]: check()[name] }));

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const found = check();
    setWrong(found);
    const first = (["username", "password"] as const).find((name) => found[name]);
    if (first) field(form.current, first)?.focus();
    if (first || isBusy) return;
    setBusy(true);
    setFailure("");
    const username = field(form.current, "username")!.value.trim();
    const password = field(form.current, "password")!.value;
    try {
      const ticket = await enter(username, password);
      const isRemembered = field(form.current, "remember")!.checked;
      keepUserName(isRemembered ? username : null);
      if (isRemembered) await keepPassword(username, password);
      if (ticket !== null) return onOwed(ticket);
      leaveNote("login.success");
      location.assign(await pageAfterLogin(redirect, query));
    } catch (error) {
      setBusy(false);
      // After too many tries, the message must not ask to try again.
      if (!(error instanceof ApiError && error.code === TOO_MANY)) notify("error", t("login.error"));
      // The form shows the server's reason; a call without an answer has none.
      setFailure(error instanceof ApiError && error.code !== TRANSPORT ? error.desc : t("login.error"));
      setWrong(error instanceof ApiError ? error.fields : {});
      if (!(error instanceof ApiError)) throw error;
    }
  };

  return (
    <form ref={form} className="app-login-form" method="post" action="/login" noValidate onSubmit={(event) => void submit(event)}>
      <h1>{t("login.title")}</h1>
      <p className="app-login-subtitle">{t("login.subtitle")}</p>
      <div className="app-login-failure" role="alert">
        {failure ? <p className="app-note is-error">{failure}</p> : reason && <p className="app-note">{reason}</p>}
      </div>
      <input type="hidden" name="redirect" value={redirect} />
      <input type="hidden" name="query" value={formatQuery(query).slice(1)} />

      <div className={wrong.username ? "ll-field ll-field-wrong" : "ll-field"}>
        <label className="ll-label" htmlFor="username">
          {t("login.userName")}
        </label>
        <span className="app-login-input">
          <Icon name="user" />
          <input
            id="username"
            className="ll-input"
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            aria-invalid={wrong.username ? true : undefined}
            aria-describedby={wrong.username && "username-error"}
            onBlur={({ target }) => {
              target.value = trimmed(halfWidth(target.value));
              recheck("username")();
            }}
            onChange={wrong.username ? recheck("username") : undefined}
          />
        </span>
        {wrong.username && (
          <p className="ll-error" id="username-error">
            {wrong.username}
          </p>
        )}
      </div>

      <div className={wrong.password ? "ll-field ll-field-wrong" : "ll-field"}>
        <label className="ll-label" htmlFor="password">
          {t("login.password")}
        </label>
        <span className="app-login-input">
          <Icon name="key" />
          <input
            id="password"
            className="ll-input"
            type={isShown ? "text" : "password"}
            name="password"
            autoComplete="current-password"
            aria-invalid={wrong.password ? true : undefined}
            aria-describedby={wrong.password && "password-error"}
            onBlur={recheck("password")}
            onChange={wrong.password ? recheck("password") : undefined}
          />
          <button
            type="button"
            className="app-icon-button"
            aria-label={t(isShown ? "login.hidePassword" : "login.showPassword")}
            aria-pressed={isShown}
            onClick={() => setShown(!isShown)}
          >
            <Icon name="eye" />
          </button>
        </span>
        {wrong.password && (
          <p className="ll-error" id="password-error">
            {wrong.password}
          </p>
        )}
      </div>

      <div className="app-login-options">
        <label className="ll-check">
          <input type="checkbox" name="remember" value="1" />
          {t("login.remember")}
        </label>
        <button type="button" className="app-link" onClick={onForgot}>
          {t("login.forgot")}
        </button>
      </div>
      <Button type="submit" look="primary" className="app-login-submit" busy={isBusy}>
        {t(isBusy ? "login.submitting" : "login.submit")}
      </Button>
      <button type="button" className="app-link app-login-register" popoverTarget="register">
        {t("login.register")}
      </button>
      <div id="register" className="app-popup app-register" popover="auto" role="dialog" aria-labelledby="register-title">
        <h2 id="register-title">{t("register.title")}</h2>
        <p>{t("register.text")}</p>
        <Button look="primary" popoverTarget="register" popoverTargetAction="hide">
          {t("register.close")}
        </Button>
      </div>
    </form>
  );
}

/**
 * Logs in and keeps the answer with the token; a failure leaves no token behind. If a code
 * is needed too, returns its ticket.
 */
async function enter(username: string, password: string): Promise<string | null> {
  try {
    const login = await logIn(username, password);
    if ("ticket" in login) {
      clearToken();
      return login.ticket;
    }
    keepLogin(login);
    return null;
  } catch (error) {
    clearToken();
    throw error;
  }
}

function whatServerSays(error: LoginError | undefined, t: Translate): string {
  const key = error && SERVER_ERRORS[error.kind];
  return key ? t(key, "minutes" in error ? { minutes: error.minutes } : undefined) : "";
}

function field(form: HTMLFormElement | null, name: string): HTMLInputElement | null {
  const control = form?.elements.namedItem(name);
  return control instanceof HTMLInputElement ? control : null;
}
