/** The bell with the number of unread messages, and the panel it opens. What is in the panel is a lazy chunk. */

import { type ComponentType, useState, useSyncExternalStore, type ToggleEvent } from "react";
import { useT } from "../lib/i18n";
import { Kept } from "../lib/kept";
import { notify } from "../lib/toast";
import { Icon } from "../ui/icon";
import { MESSAGES_ID, noneUnread, onUnread, unread } from "./unread";

/** Higher counts are shown as "99+". */
const MOST_SHOWN = 99;

export function MessageBell() {
  const t = useT();
  const { message, notice, todo } = useSyncExternalStore(onUnread, unread, noneUnread);
  const all = message + notice + todo;
  const shown = all > MOST_SHOWN ? `${MOST_SHOWN}+` : String(all);
  const label = all === 0 ? t("messages.title") : t("messages.bell", { count: shown });
  return (
    <button type="button" className="app-icon-button app-bell" popoverTarget={MESSAGES_ID} aria-label={label} title={label}>
      <Icon name="bell" />
      {all > 0 && (
        <span className="app-badge" aria-hidden="true">
          {shown}
        </span>
      )}
    </button>
  );
}

/** Rendered once, at the end of the page; every bell opens it. */
export function MessagePanel() {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  const [Box, setBox] = useState<ComponentType>();
  const toggled = ({ newState }: ToggleEvent) => {
    setOpen(newState === "open");
    if (newState !== "open" || Box) return;
    import("./message-box").then(
      ({ MessageBox }) => setBox(() => MessageBox),
      () => notify("error", t("ui.failed")),
    );
  };
  return (
    <Kept
      as="div"
      of={["messages"]}
      id={MESSAGES_ID}
      className="app-popup app-messages"
      popover="auto"
      role="dialog"
      aria-label={t("messages.title")}
      onToggle={toggled}
    >
      {() => (
        <>
          {isOpen && Box ? <Box /> : <p className="app-messages-state">{t("ui.loading")}</p>}
          <p className="app-messages-more">
            <a className="app-link" href="/account/message">
              {t("messages.more")}
            </a>
          </p>
        </>
      )}
    </Kept>
  );
}
