/** Tells an offline agent how many customers wait, with a button to go online. */
import { useState } from "react";

import type { ChatMe } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { count } from "../../../lib/format";
import { useT } from "../../../lib/i18n";
import { useNavigate } from "../../../lib/visit";
import { Button } from "../../../ui/button";

export function Offline({ queued }: { queued: number }) {
  const t = useT();
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const begin = async () => {
    setBusy(true);
    try {
      await api.put<ChatMe>("/chat/presence", { presence: "online" });
      // Waiting customers are assigned at once, as far as there is room.
      await navigate("/chat/conversation?box=mine");
    } catch {
      setBusy(false);
    }
  };
  return (
    <p className="ll-alert ll-alert-warning mt-4 flex flex-wrap items-center gap-3" role="status">
      {t("workplace.offline", { count: count(queued) })}
      <Button look="primary" small busy={busy} onClick={() => void begin()}>
        {t("workplace.goOnline")}
      </Button>
    </p>
  );
}
