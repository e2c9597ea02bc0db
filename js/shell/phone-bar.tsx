/** The bar of narrow screens: opens the menu as a drawer, before scripts have arrived too. */

import { useT } from "../lib/i18n";
import { Kept } from "../lib/kept";
import { Icon } from "../ui/icon";
import { Brand } from "./brand";
import { MessageBell } from "./message-bell";
import { SIDER_ID } from "./sider";

export function PhoneBar() {
  const t = useT();
  return (
    <Kept as="div" className="app-phone-bar" of={["phone"]}>
      {() => (
        <>
          <button type="button" className="app-icon-button" popoverTarget={SIDER_ID} aria-label={t("shell.openMenu")}>
            <Icon name="menu" />
          </button>
          <Brand />
          <MessageBell />
        </>
      )}
    </Kept>
  );
}
