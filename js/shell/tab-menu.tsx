/** The actions on a tab and on those around it. Loaded when it is first opened. */

import { useEffect, useRef, type KeyboardEvent } from "react";
import { useT } from "../lib/i18n";
import { canClose, type CloseKind, type Tab } from "./tabs";

interface TabMenuProps {
  tab: Tab;
  tabs: readonly Tab[];
  /** Whether the tab is the current page: only that one can be reloaded. */
  isActive: boolean;
  /** Where it opens, in pixels of the window. */
  x: number;
  y: number;
  onReload: () => void;
  onClose: (kind: CloseKind) => void;
  onLeave: () => void;
}

const KINDS = [
  ["this", "tabs.closeThis"],
  ["left", "tabs.closeLeft"],
  ["right", "tabs.closeRight"],
  ["others", "tabs.closeOthers"],
  ["all", "tabs.closeAll"],
] as const;

/** Room that the menu keeps to the window's edge. */
const EDGE_PX = 8;

export default function TabMenu({ tab, tabs, isActive, x, y, onReload, onClose, onLeave }: TabMenuProps) {
  const t = useT();
  const menu = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const element = menu.current;
    if (!element) return;
    const returnTo = document.activeElement;
    element.showPopover();
    element.style.left = `${Math.max(EDGE_PX, Math.min(x, innerWidth - element.offsetWidth - EDGE_PX))}px`;
    element.style.top = `${Math.max(EDGE_PX, Math.min(y, innerHeight - element.offsetHeight - EDGE_PX))}px`;
    items(element)[0]?.focus();
    return () => {
      if (returnTo instanceof HTMLElement && returnTo.isConnected) returnTo.focus();
    };
  }, [x, y]);

  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const all = items(event.currentTarget);
    const at = all.indexOf(document.activeElement as HTMLButtonElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (event.key === "Tab") onLeave();
    if (to === undefined) return;
    event.preventDefault();
    all.at(to % all.length)?.focus();
  };
  const choose = (act: () => void) => () => {
    onLeave();
    act();
  };

  return (
    <div
      ref={menu}
      className="app-popup"
      popover="auto"
      role="menu"
      aria-label={t("tabs.menu")}
      onKeyDown={move}
      onToggle={(event) => {
        if (event.newState === "closed") onLeave();
      }}
    >
      <button type="button" role="menuitem" className="app-popup-item" disabled={!isActive} onClick={choose(onReload)}>
        {t("tabs.reload")}
      </button>
      {KINDS.map(([kind, label]) => (
        <button
          key={kind}
          type="button"
          role="menuitem"
          className="app-popup-item"
          disabled={!canClose(tabs, tab.fullPath, kind)}
          onClick={choose(() => onClose(kind))}
        >
          {t(label)}
        </button>
      ))}
    </div>
  );
}

function items(menu: HTMLElement): HTMLButtonElement[] {
  return [...menu.querySelectorAll<HTMLButtonElement>("button:enabled")];
}
