/** /account/setting: what one changes oneself: one's data, portrait, password, and open sessions. */

import { api, ApiError } from "../../../lib/api";
import type { OwnSession, Profile, SecondFactor } from "../../../lib/api-types";
import { EMPTY, text, time } from "../../../lib/format";
import { type Translate, useT } from "../../../lib/i18n";
import { readListQuery } from "../../../lib/list-query";
import { useLoaded, usePageData, useReload, useViewer } from "../../../lib/props";
import { notify } from "../../../lib/toast";
import { goTo, loadAnew } from "../../../lib/leave-document";
import { useLocation } from "../../../lib/visit";
import { Button, buttonClass } from "../../../ui/button";
import type { Field } from "../../../ui/field";
import { FailedList } from "../../../ui/list-state";
import { ListTable } from "../../../ui/list-table";
import { confirm, type Open, useOverlay } from "../../../ui/overlay";
import { Face, Facts } from "../profile";

export default function Setting() {
  const t = useT();
  const reload = useReload();
  const { pathname, search } = useLocation();
  const [overlays, open] = useOverlay();
  const profile = usePageData<Profile | null>("profile");
  const sessions = usePageData<OwnSession[] | null>("sessions");
  const factor = useLoaded<SecondFactor>("secondFactor");
  const mustEnrol = useViewer()?.mustEnrol;

  const openFactor = async (what: "enrol" | "newCodes" | "turnOff") => {
    const dialogs = await import("./second-factor");
    const done = await dialogs[what](open);
    // The shell's props say that a factor must be set up, and a reload of the page's data does not change them.
    if (done && mustEnrol) goTo("/");
    else if (done) await reload();
  };
  if (mustEnrol) {
    return (
      <section className="ll-card" aria-labelledby="factor-must">
        <h1 className="ll-title" id="factor-must">
          {t("factor.title")}
        </h1>
        <p className="mt-2 mb-4 max-w-[60ch]">{t("factor.must")}</p>
        <Button look="primary" onClick={() => void openFactor("enrol")}>
          {t("factor.start")}
        </Button>
        {overlays}
      </section>
    );
  }
  if (profile.data === null) return <FailedList answer={profile} address={pathname + search} />;
  const mine = profile.data;

  const edit = async (what: "data" | "face") => {
    const { editProfile, editFace } = await import("./form");
    const saved = await open<Profile>((overlay) => (what === "data" ? editProfile : editFace)({ overlay, t, profile: mine }));
    if (!saved) return;
    notify("success", t("account.saved"));
    // The shell shows the portrait too, and a reload of the page's data does not change it.
    if (saved.avatar !== mine.avatar) loadAnew();
    else await reload();
  };

  const end = async ({ id }: OwnSession) => {
    const question = {
      title: t("account.endSessionTitle"),
      text: t("account.endSessionText"),
      confirm: t("account.endSession"),
      danger: true,
    };
    if (!(await confirm(open, question))) return;
    try {
      await api.del(`/admin/me/sessions/${id}`);
      notify("success", t("account.sessionEnded"));
    } catch (error) {
      // The client shows the refusal; the list may be stale.
      if (!(error instanceof ApiError)) throw error;
    }
    await reload();
  };

  return (
    <div className="account">
      <section className="ll-card" aria-labelledby="account-data">
        <div className="account-bar">
          <Face profile={mine} />
          <h1 className="ll-title" id="account-data">
            {t("account.settingTitle")}
          </h1>
          <a className={buttonClass("text")} href="/account/center">
            {t("account.toCenter")}
          </a>
          <Button onClick={() => void edit("face")}>{t("account.changeFace")}</Button>
          <Button look="primary" icon="edit" onClick={() => void edit("data")}>
            {t("account.edit")}
          </Button>
        </div>
        <Facts profile={mine} />
      </section>
      <section className="ll-card" aria-labelledby="account-security">
        <h2 className="ll-title" id="account-security">
          {t("account.security")}
        </h2>
        <dl className="account-rows">
          <div>
            <dt>{t("account.password")}</dt>
            <dd>{t("account.passwordText")}</dd>
            <dd className="account-act">
              <Button onClick={() => void changePassword(open)}>{t("shell.changePassword")}</Button>
            </dd>
          </div>
          {factor && (
            <div>
              <dt>{t("factor.title")}</dt>
              <dd>{factor.since ? t("factor.on", { time: time(factor.since), count: factor.recoveryCodesLeft }) : t("factor.off")}</dd>
              <dd className="account-act">
                {factor.since ? (
                  <>
                    <Button onClick={() => void openFactor("newCodes")}>{t("factor.newCodes")}</Button>
                    <Button onClick={() => void openFactor("turnOff")}>{t("factor.turnOff")}</Button>
                  </>
                ) : (
                  <Button onClick={() => void openFactor("enrol")}>{t("factor.setUp")}</Button>
                )}
              </dd>
            </div>
          )}
          <div>
            <dt>{t("account.phone")}</dt>
            <dd>
              <span className="ll-mono">{text(mine.phone)}</span> {t("account.phoneText")}
            </dd>
          </div>
        </dl>
      </section>
      <div className="ll-card">
        <h2 className="ll-title">{t("account.sessions")}</h2>
        <p className="ll-quiet">{t("account.sessionsText")}</p>
        {sessions.data === null ? (
          <FailedList answer={sessions} address={pathname} />
        ) : (
          <ListTable
            label={t("account.sessions")}
            rows={sessions.data}
            fields={sessionFields}
            query={readListQuery("")}
            pathname={pathname}
            density="normal"
            loading={false}
            actions={{
              of: ({ current }) => (current ? [] : [{ name: "end", label: t("account.endSession"), danger: true }]),
              run: (session) => void end(session),
            }}
          />
        )}
      </div>
      {overlays}
    </div>
  );
}

const sessionFields: readonly Field<OwnSession>[] = [
  { key: "browser", title: "account.browser", show: nameOf },
  { key: "roleName", title: "account.role" },
  { key: "ip", title: "logs.ip", kind: "code" },
  { key: "createdAt", title: "account.sessionSince", kind: "time" },
  { key: "lastSeenAt", title: "account.sessionSeen", kind: "time" },
];

/** The name of a device. */
function nameOf({ browser, os, current }: OwnSession, t: Translate): string {
  const device = [browser, os].filter(Boolean).join(" · ") || EMPTY;
  return current ? `${device} ${t("account.thisSession")}` : device;
}

async function changePassword(open: Open) {
  const { default: PasswordDialog } = await import("../../../shell/password-dialog");
  await open((overlay) => <PasswordDialog overlay={overlay} isForced={false} />);
}
