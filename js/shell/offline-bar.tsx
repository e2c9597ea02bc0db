/** Shows a notice while the network is down; reloads the page's data when it is back. */

import { useEffect, useState } from "react";
import { useT } from "../lib/i18n";
import { useReload } from "../lib/props";
import { notify } from "../lib/toast";
import { Icon } from "../ui/icon";

export function OfflineBar() {
  const t = useT();
  const reload = useReload();
  const [isOffline, setOffline] = useState(false);
  useEffect(() => {
    const gone = () => setOffline(true);
    const back = () => {
      setOffline(false);
      notify("success", t("shell.online"));
      void reload();
    };
    if (!navigator.onLine) gone();
    addEventListener("offline", gone);
    addEventListener("online", back);
    return () => {
      removeEventListener("offline", gone);
      removeEventListener("online", back);
    };
  }, [t, reload]);
  // The region is always there, so that screen readers read what is put into it.
  return (
    <div role="alert" className={isOffline ? "app-offline" : undefined}>
      {isOffline && (
        <>
          <Icon name="warning" />
          <span>{t("shell.offline")}</span>
        </>
      )}
    </div>
  );
}
