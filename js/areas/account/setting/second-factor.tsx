/** Sets the viewer's second factor up, replaces its recovery codes, turns it off. Loaded when it is opened. */

import { useEffect, useRef, useState, type FormEvent, type ReactNode } from "react";
import { api, ApiError } from "../../../lib/api";
import type { Enrolment, RecoveryCodes } from "../../../lib/api-types";
import { useT } from "../../../lib/i18n";
import type { MessageKey } from "../../../lib/i18n";
import { useViewer } from "../../../lib/props";
import { notify } from "../../../lib/toast";
import { saveFile } from "../../../lib/save-file";
import { Button } from "../../../ui/button";
import { CopyButton } from "../../../ui/copy-button";
import { Dialog } from "../../../ui/dialog";
import { Icon } from "../../../ui/icon";
import type { Open, Overlay } from "../../../ui/overlay";
import { useShownOnce } from "../../../ui/secret-dialog";
import { CodeField } from "../../../ui/code-field";
import { PasswordField } from "../../../ui/password-field";
import "./second-factor.css";

const MINE = "/admin/me/secondFactor";

type Wrong = Readonly<Record<string, string>>;

/** Sets it up; returns whether it is on now. */
export const enrol = (open: Open) => open<boolean>((overlay) => <EnrolDialog overlay={overlay} />);

/** Replaces the recovery codes; returns whether it did. */
export const newCodes = (open: Open) => open<boolean>((overlay) => <NewCodesDialog overlay={overlay} />);

/** Turns it off; returns whether it did. */
export const turnOff = (open: Open) => open<boolean>((overlay) => <TurnOffDialog overlay={overlay} />);

function EnrolDialog({ overlay }: { overlay: Overlay<boolean> }) {
  const t = useT();
  const [enrolment, setEnrolment] = useState<Enrolment>();
  const [codes, setCodes] = useState<readonly string[]>();
  if (codes) return <CodesDialog overlay={overlay} codes={codes} />;
  if (!enrolment) {
    return (
      <AskDialog
        overlay={overlay}
        title="factor.title"
        asks={["password"]}
        submit="factor.next"
        send={async ({ password }) => setEnrolment(await api.post<Enrolment>(MINE, { password }))}
      />
    );
  }
  const { path, size, secret } = enrolment;
  return (
    <AskDialog
      overlay={overlay}
      title="factor.title"
      asks={["code"]}
      submit="factor.confirm"
      send={async ({ code }) => {
        setCodes((await api.put<RecoveryCodes>(MINE, { code })).codes);
        notify("success", t("factor.done"));
      }}
    >
      <p>{t("factor.scan")}</p>
      <svg
        className="mx-auto block w-[min(100%,220px)] rounded-box"
        viewBox={`0 0 ${size} ${size}`}
        role="img"
        aria-label={t("factor.picture")}
      >
        <rect width={size} height={size} fill="#fff" />
        <path d={path} fill="#000" shapeRendering="crispEdges" />
      </svg>
      <p className="ll-quiet">{t("factor.secretText")}</p>
      <p className="account-secret flex flex-wrap items-center gap-1 wrap-anywhere">
        <code>{secret.match(/.{4}/g)?.join(" ")}</code>
        <CopyButton text={secret} what={t("factor.secret")} />
      </p>
    </AskDialog>
  );
}

function NewCodesDialog({ overlay }: { overlay: Overlay<boolean> }) {
  const t = useT();
  const [codes, setCodes] = useState<readonly string[]>();
  if (codes) return <CodesDialog overlay={overlay} codes={codes} />;
  return (
    <AskDialog
      overlay={overlay}
      title="factor.newCodes"
      asks={["password", "code"]}
      submit="factor.newCodes"
      send={async (form) => setCodes((await api.post<RecoveryCodes>(`${MINE}/codes`, form)).codes)}
    >
      <p>{t("factor.newText")}</p>
    </AskDialog>
  );
}

function TurnOffDialog({ overlay }: { overlay: Overlay<boolean> }) {
  const t = useT();
  return (
    <AskDialog
      overlay={overlay}
      title="factor.turnOffTitle"
      asks={["password", "code"]}
      submit="factor.turnOffTitle"
      danger
      send={async (form) => {
        await api.post(`${MINE}/remove`, form);
        notify("success", t("factor.offDone"));
        overlay.close(true);
      }}
    >
      <p>{t("factor.offText")}</p>
    </AskDialog>
  );
}

interface AskDialogProps {
  overlay: Overlay<boolean>;
  title: MessageKey;
  asks: readonly ("password" | "code")[];
  submit: MessageKey;
  danger?: boolean;
  send: (form: { password?: string; code?: string }) => Promise<unknown>;
  children?: ReactNode;
}

/** Asks for the password, a code, or both; errors of the server are shown at their fields. */
function AskDialog({ overlay, title, asks, submit, danger, send, children }: AskDialogProps) {
  const t = useT();
  const viewer = useViewer();
  const [wrong, setWrong] = useState<Wrong>({});
  const [isBusy, setBusy] = useState(false);
  const first = useRef<HTMLInputElement>(null);
  const isEnrolment = !asks.includes("password");
  // The dialog stays mounted for the second step, so the focus is moved to its input.
  useEffect(() => {
    if (isEnrolment) first.current?.focus();
  }, [isEnrolment]);

  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const form = Object.fromEntries(asks.map((name) => [name, String(data.get(name) ?? "")]));
    const empty = { password: t("factor.passwordEmpty"), code: t("code.empty") };
    const found = Object.fromEntries(asks.filter((name) => form[name]?.trim() === "").map((name) => [name, empty[name]]));
    setWrong(found);
    if (isBusy || Object.keys(found).length > 0) return;
    setBusy(true);
    try {
      await send(form);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setWrong(error.fields);
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog overlay={overlay} title={t(title)} shape="small" sticky initialFocus={first}>
      <form className="ll-form" noValidate onSubmit={(event) => void save(event)}>
        <div className="ll-dialog-body app-stack">
          {children}
          <input type="hidden" name="username" autoComplete="username" value={viewer?.username ?? ""} />
          {asks.includes("password") && (
            <PasswordField
              ref={first}
              name="password"
              label={t("factor.password")}
              autoComplete="current-password"
              error={wrong["password"]}
            />
          )}
          {asks.includes("code") && (
            <CodeField
              ref={isEnrolment ? first : null}
              label={t("code.label")}
              isShort={isEnrolment}
              error={wrong["code"]}
              {...(!isEnrolment && { hint: t("code.hint") })}
            />
          )}
        </div>
        <footer className="ll-dialog-foot">
          <Button onClick={() => overlay.close()}>{t("password.cancel")}</Button>
          <Button type="submit" look={danger ? "danger" : "primary"} busy={isBusy}>
            {t(submit)}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

/** Shows recovery codes this once, to be kept. */
function CodesDialog({ overlay, codes }: { overlay: Overlay<boolean>; codes: readonly string[] }) {
  const t = useT();
  const viewer = useViewer();
  const once = useShownOnce();
  const text = codes.join("\n");
  const download = () =>
    saveFile(new Blob([`Leadlane ${viewer?.username}\n\n${text}\n`], { type: "text/plain" }), "leadlane-recovery-codes.txt");
  return (
    <Dialog overlay={overlay} title={t("factor.codes")} shape="small" {...once.dialog}>
      <div className="ll-dialog-body app-stack">
        <p className="ll-alert ll-alert-warning">
          <Icon name="warning" />
          {t("factor.codesText")}
        </p>
        <ol className="account-codes">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ol>
        <div className="account-codes-acts flex flex-wrap items-center gap-2">
          <Button onClick={download}>{t("factor.download")}</Button>
          <Button onClick={() => print()}>{t("factor.print")}</Button>
          <CopyButton text={text} what={t("factor.codes")} />
        </div>
      </div>
      <footer className="ll-dialog-foot">
        {once.word}
        <Button look="primary" onClick={() => overlay.close(true)}>
          {t("factor.kept")}
        </Button>
      </footer>
    </Dialog>
  );
}
