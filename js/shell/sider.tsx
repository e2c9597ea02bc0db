/**
 * The menu's column. On narrow screens the same element is a drawer: a popover, so that the browser
 * opens it, traps nothing, closes it on Escape and outside presses, and needs no script for any of it.
 */

import { useT } from "../lib/i18n";
import { Kept } from "../lib/kept";
import type { MenuNode } from "../lib/types";
import { Icon } from "../ui/icon";
import { Brand } from "./brand";
import { Menu } from "./menu";
import type { ShellDialogs } from "./use-dialogs";
import { UserBlock } from "./user-block";

export const SIDER_ID = "sider";

interface SiderProps {
  menu: readonly MenuNode[];
  trail: readonly MenuNode[];
  /** Who is signed in stands at its foot, unless the navbar says so. */
  hasUser: boolean;
  isCollapsed: boolean;
  onCollapse: () => void;
  dialogs: ShellDialogs;
}

export function Sider({ menu, trail, hasUser, isCollapsed, onCollapse, dialogs }: SiderProps) {
  const t = useT();
  const toggle = t(isCollapsed ? "shell.expand" : "shell.collapse");
  return (
    <aside id={SIDER_ID} className="app-sider" popover="auto" aria-label={t("shell.menu")}>
      <Kept as="div" className="app-sider-head" of={["sider", isCollapsed]}>
        {() => (
          <>
            <Brand />
            <button
              type="button"
              className="app-icon-button app-sider-close"
              popoverTarget={SIDER_ID}
              popoverTargetAction="hide"
              aria-label={t("shell.closeMenu")}
            >
              <Icon name="close" />
            </button>
            <button
              type="button"
              className="app-icon-button app-sider-search"
              aria-label={t("palette.open")}
              title={t("palette.open")}
              aria-haspopup="dialog"
              onClick={dialogs.palette}
            >
              <Icon name="search" />
            </button>
            <button type="button" className="app-icon-button app-sider-fold" aria-label={toggle} title={toggle} onClick={onCollapse}>
              <Icon name="menu" />
            </button>
          </>
        )}
      </Kept>
      <Menu nodes={menu} trail={trail} isCollapsed={isCollapsed} />
      {hasUser && <UserBlock dialogs={dialogs} />}
    </aside>
  );
}
