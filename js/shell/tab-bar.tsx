/**
 * The bar of open pages. The server knows the fixed first tab and the current one; the others live
 * in session storage and join after hydration, so that both sides render the same at first.
 */

import { lazy, Suspense, useContext, useEffect, useRef, useState, type MouseEvent } from "react";
import { AppContext } from "../lib/app-context";
import { useFilterName } from "../lib/filter-name";
import { Kept } from "../lib/kept";
import { useReload } from "../lib/props";
import { parseQuery } from "../lib/query-string";
import type { MenuNode, PageHead } from "../lib/types";
import { useLocation, useNavigate } from "../lib/visit";
import { Icon } from "../ui/icon";
import { closeTabs, nameOf, nextActive, openTab, parseTabs, pathOf, type CloseKind, type Tab } from "./tabs";
import { FROM_TAB } from "./tab-scroll";
import { findTrail, firstPage } from "./trail";

const TabMenu = lazy(() => import("./tab-menu"));

const STORE = "tabs";

interface TabBarProps {
  /** Name of the current route, and title of the page: its record's, else the route's. */
  name: string;
  head: PageHead;
  title: string;
}

interface TabState {
  tabs: readonly Tab[];
  /** Full path and filter that `tabs` were made for. */
  active: string;
  filter: string | undefined;
}

/** Where the tab menu was opened. */
interface MenuPlace {
  tab: Tab;
  x: number;
  y: number;
}

export function TabBar({ name, head, title }: TabBarProps) {
  const { props, t } = useContext(AppContext);
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const reload = useReload();
  const list = useRef<HTMLUListElement>(null);
  const active = pathname + search;
  const filter = useFilterName(active);
  const current: Tab = { title, name, fullPath: active, query: parseQuery(search), filter, ...(head.recordTitle && { ofRecord: true }) };

  // Pages that replace others, such as not-found, get no tab.
  const isPage = !head.isSpecial;
  const [state, setState] = useState<TabState>(() => {
    const first = firstTab(props.menu);
    return { tabs: isPage ? openTab(first, current) : first, active, filter };
  });
  const [menu, setMenu] = useState<MenuPlace | null>(null);

  if (state.active !== active || state.filter !== filter) {
    setState({ tabs: isPage ? openTab(state.tabs, current) : state.tabs, active, filter });
  }

  useEffect(() => {
    const titleOf = (tab: Tab) => {
      const title = findTrail(props.menu, tab.name).at(-1)?.title;
      return title && tab.ofRecord ? tab.title : title;
    };
    const kept = parseTabs(sessionStorage.getItem(STORE), titleOf);
    setState((now) => ({ ...now, tabs: now.tabs.reduce(openTab, kept.reduce(openTab, now.tabs.slice(0, 1))) }));
  }, [props.menu]);
  useEffect(() => sessionStorage.setItem(STORE, JSON.stringify(state.tabs)), [state.tabs]);
  useEffect(() => {
    // With its button.
    list.current?.querySelector("[aria-current]")?.parentElement?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [active, state.tabs]);

  const close = (fullPath: string, kind: CloseKind) => {
    const left = closeTabs(state.tabs, fullPath, kind);
    const next = nextActive(state.tabs, left, active, fullPath);
    setState({ ...state, tabs: left });
    if (next !== active) void navigate(next, { state: FROM_TAB });
  };
  const openMenu = (event: MouseEvent, tab: Tab) => {
    event.preventDefault();
    const box = event.currentTarget.getBoundingClientRect();
    // From the keyboard there is no pointer: the menu hangs below what has the focus.
    const fromPointer = event.type === "contextmenu" && event.clientX > 0;
    setMenu({ tab, x: fromPointer ? event.clientX : box.left, y: fromPointer ? event.clientY : box.bottom });
  };

  return (
    <Kept as="nav" className="app-tabs" aria-label={t("tabs.label")} of={["tabs", active, state.tabs]} ofAddress>
      {() => (
        <>
          <ul ref={list}>
            {state.tabs.map((tab, i) => (
              <li key={pathOf(tab.fullPath)} onContextMenu={(event) => openMenu(event, tab)}>
                <a data-tab href={tab.fullPath} title={tab.fullPath} aria-current={tab.fullPath === active ? "page" : undefined}>
                  {nameOf(tab)}
                </a>
                {i > 0 && (
                  <button type="button" aria-label={t("tabs.close", { title: nameOf(tab) })} onClick={() => close(tab.fullPath, "this")}>
                    <Icon name="close" />
                  </button>
                )}
              </li>
            ))}
          </ul>
          <button
            type="button"
            className="app-icon-button"
            aria-label={t("tabs.menu")}
            title={t("tabs.menu")}
            aria-haspopup="menu"
            onClick={(event) => openMenu(event, current)}
          >
            <Icon name="chevron-down" />
          </button>
          {menu && (
            <Suspense fallback={null}>
              <TabMenu
                {...menu}
                tabs={state.tabs}
                isActive={menu.tab.fullPath === active}
                onReload={() => void reload()}
                onClose={(kind) => close(menu.tab.fullPath, kind)}
                onLeave={() => setMenu(null)}
              />
            </Suspense>
          )}
        </>
      )}
    </Kept>
  );
}

/** The tab that stays: the first page of the viewer's menu. */
function firstTab(menu: readonly MenuNode[]): readonly Tab[] {
  const page = firstPage(menu);
  return page ? [{ title: page.title, name: page.name, fullPath: page.path, query: {} }] : [];
}
