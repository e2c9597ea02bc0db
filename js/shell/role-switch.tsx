/** Chooses the role to work in, of those that the account has. Loaded when it is opened. */

import { useEffect, useState, type FormEvent } from "react";
import type { Me } from "../lib/api-types";
import { api, ApiError } from "../lib/api";
import { useT } from "../lib/i18n";
import { getToken, keepLogin } from "../lib/session";
import type { Viewer } from "../lib/types";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import type { Overlay } from "../ui/overlay";
import { goTo } from "../lib/leave-document";

export default function RoleSwitch({ overlay }: { overlay: Overlay }) {
  const t = useT();
  const [me, setMe] = useState<Me>();
  const [chosen, setChosen] = useState<number>();
  const [isBusy, setBusy] = useState(false);
  const close = overlay.close;
  const active = me?.roles.find(({ code }) => code === me.role)?.id;

  useEffect(() => {
    const abort = new AbortController();
    api.get<Me>("/admin/me", undefined, { signal: abort.signal }).then(setMe, (error: unknown) => {
      if (abort.signal.aborted) return;
      // The client reports refusals; without the roles there is nothing to choose.
      if (!(error instanceof ApiError)) console.error(error);
      close();
    });
    return () => abort.abort();
  }, [close]);

  const save = async (event: FormEvent) => {
    event.preventDefault();
    const roleId = chosen ?? active;
    if (isBusy || roleId === undefined || roleId === active) return;
    setBusy(true);
    try {
      enter(await api.put<Viewer>("/admin/role", { roleId }));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setBusy(false);
    }
  };

  return (
    <Dialog overlay={overlay} title={t("roleSwitch.title")} shape="small">
      <form className="ll-form" onSubmit={(event) => void save(event)}>
        <div className="ll-dialog-body app-stack">
          <p className="ll-quiet">{t(me?.roles.length === 1 ? "roleSwitch.onlyOne" : "roleSwitch.text")}</p>
          {me === undefined ? (
            <p role="status" className="ll-quiet">
              {t("ui.loading")}
            </p>
          ) : (
            <fieldset className="app-roles">
              <legend className="sr-only">{t("roleSwitch.title")}</legend>
              {me.roles.map(({ id, name }) => (
                <label key={id} className="ll-check">
                  <input type="radio" name="role" value={id} checked={id === (chosen ?? active)} onChange={() => setChosen(id)} />
                  <span>{name}</span>
                  {id === active && <span className="ll-tag ll-tag-blue">{t("roleSwitch.active")}</span>}
                </label>
              ))}
            </fieldset>
          )}
        </div>
        <footer className="ll-dialog-foot">
          <Button onClick={() => overlay.close()}>{t("ui.cancel")}</Button>
          <Button type="submit" look="primary" busy={isBusy} disabled={chosen === undefined || chosen === active}>
            {t("roleSwitch.switch")}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

/** Starts in the other role: its menu and pages differ, so the open tabs are dropped. */
function enter(user: Viewer): void {
  const token = getToken();
  if (token !== null) keepLogin({ token, user });
  sessionStorage.clear();
  goTo("/");
}
