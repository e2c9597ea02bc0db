/** A new password by a code sent to the account's phone. Loaded when it is opened. */

import { useEffect, useRef, useState, type FocusEvent, type FocusEventHandler, type FormEvent } from "react";
import { api, ApiError } from "../../lib/api";
import { joined, phone } from "../../lib/canonical";
import { compactDay } from "../../lib/format";
import { useT } from "../../lib/i18n";
import { md5 } from "../../lib/md5";
import { isStrongPassword } from "../../lib/password";
import { notify } from "../../lib/toast";
import { Button } from "../../ui/button";
import { PasswordField } from "../../ui/password-field";

/** Code of the refusal of a wrong code. */
const WRONG_CODE = "1002";
/** A phone can get one code a minute. */
const RESEND_S = 60;

type Wrong = Readonly<Partial<Record<"phone" | "code" | "password", string>>>;

export default function ForgotForm({ onLeave }: { onLeave: () => void }) {
  const t = useT();
  const form = useRef<HTMLFormElement>(null);
  const [wrong, setWrong] = useState<Wrong>({});
  const [isBusy, setBusy] = useState(false);
  const [wait, setWait] = useState(0);

  useEffect(() => {
    if (wait === 0) return;
    const timer = setTimeout(() => setWait(wait - 1), 1000);
    return () => clearTimeout(timer);
  }, [wait]);
  useEffect(() => form.current?.querySelector("input")?.focus(), []);

  const values = () => {
    const data = new FormData(form.current!);
    const text = (name: string) => String(data.get(name) ?? "").trim();
    return { phone: phone(text("phone")) ?? text("phone"), code: joined(text("code")), password: String(data.get("password") ?? "") };
  };
  const checkPhone = (phone: string): Wrong => (/^1\d{10}$/.test(phone) ? {} : { phone: t("forgot.phoneWrong") });

  /** Brings a typed text into its normal form. */
  const rewrite =
    (form: (text: string) => string) =>
    ({ target }: FocusEvent<HTMLInputElement>) => {
      target.value = form(target.value.trim());
    };

  /** Runs a call; errors of the server are shown at their fields. */
  const attempt = async (call: () => Promise<unknown>) => {
    setBusy(true);
    try {
      await call();
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setWrong(error.code === WRONG_CODE ? { code: error.desc } : error.fields);
      return false;
    } finally {
      setBusy(false);
    }
  };

  const sendCode = async () => {
    const { phone } = values();
    const found = checkPhone(phone);
    setWrong(found);
    if (found.phone) return;
    const sign = md5(phone + compactDay(Date.now()));
    if (await attempt(() => api.get("/admin/sendCode", { phone, sign }))) {
      notify("success", t("forgot.sent"));
      setWait(RESEND_S);
    }
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { phone, code, password } = values();
    const found: Wrong = {
      ...checkPhone(phone),
      ...(!/^\d{6}$/.test(code) && { code: t("forgot.codeWrong") }),
      ...(!isStrongPassword(password) && { password: t("password.weak") }),
    };
    setWrong(found);
    if (isBusy || Object.keys(found).length > 0) return;
    if (await attempt(() => api.post("/admin/resetPassword", { phone, code, password }))) {
      notify("success", t("forgot.done"));
      onLeave();
    }
  };

  return (
    <form ref={form} className="app-login-form" noValidate onSubmit={(event) => void submit(event)}>
      <h1>{t("forgot.title")}</h1>
      <p className="app-login-subtitle">{t("forgot.text")}</p>
      <TextField
        name="phone"
        label={t("forgot.phone")}
        type="tel"
        autoComplete="tel-national"
        onBlur={rewrite((text) => phone(text) ?? text)}
        error={wrong.phone}
      />
      <div className="app-code-row">
        <TextField name="code" label={t("forgot.code")} autoComplete="one-time-code" onBlur={rewrite(joined)} error={wrong.code} />
        <Button disabled={wait > 0 || isBusy} onClick={() => void sendCode()}>
          {wait > 0 ? t("forgot.resend", { seconds: wait }) : t("forgot.send")}
        </Button>
      </div>
      <PasswordField
        name="password"
        label={t("forgot.password")}
        autoComplete="new-password"
        hint={t("password.hint")}
        error={wrong.password}
      />
      <Button type="submit" look="primary" className="app-login-submit" busy={isBusy}>
        {t("forgot.submit")}
      </Button>
      <button type="button" className="app-link app-login-register" onClick={onLeave}>
        {t("forgot.back")}
      </button>
    </form>
  );
}

interface TextFieldProps {
  name: string;
  label: string;
  type?: "tel";
  autoComplete: string;
  onBlur: FocusEventHandler<HTMLInputElement>;
  error: string | undefined;
}

function TextField({ name, label, error, ...input }: TextFieldProps) {
  const id = `forgot-${name}`;
  return (
    <div className={error ? "ll-field ll-field-wrong" : "ll-field"}>
      <label className="ll-label" htmlFor={id}>
        {label}
      </label>
      <input
        {...input}
        id={id}
        className="ll-input"
        name={name}
        inputMode="numeric"
        aria-invalid={error ? true : undefined}
        aria-describedby={error && `${id}-error`}
      />
      {error && (
        <p className="ll-error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
