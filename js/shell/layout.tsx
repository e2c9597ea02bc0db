/** The default layout: menu, navbar, tab bar, breadcrumb and footer around a page. */

import { useContext, useEffect, useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { AppContext } from "../lib/app-context";
import { LEFT_OUT } from "../lib/list-query";
import { parseQuery } from "../lib/query-string";
import { watchDevice } from "../lib/settings";
import { useVisit } from "../lib/visit";
import { Icon } from "../ui/icon";
import { closePopover } from "../ui/popover";
import { Breadcrumb } from "./breadcrumb";
import { MessagePanel } from "./message-bell";
import { Navbar } from "./navbar";
import { OfflineBar } from "./offline-bar";
import { PhoneBar } from "./phone-bar";
import { noteRecent, noteRecord, ownerOf } from "./recent";
import { recordTitle } from "./record-title";
import { Sider, SIDER_ID } from "./sider";
import { TabBar } from "./tab-bar";
import { useTabScroll } from "./tab-scroll";
import { findTrail } from "./trail";
import { MESSAGES_ID } from "./unread";
import { useShellDialogs } from "./use-dialogs";
import { useSettings } from "./use-settings";

export function Layout({ children }: { children: ReactNode }) {
  const { props, t } = useContext(AppContext);
  const { viewer } = props;
  const live = useSettings();
  const { settings, menu } = live;
  const [overlays, dialogs] = useShellDialogs(live);
  const { name, head, data, location } = useVisit();
  const { pathname, search } = location;
  const [isCollapsed, setCollapsed] = useState(settings.menuCollapse);

  const own = findTrail(menu, name);
  const ofList = head.parent ? findTrail(menu, head.parent) : [];
  // The page of one record stands below its list.
  const [trail, above] = ofList.length > 0 ? [ofList, ofList] : [own, own.slice(0, -1)];
  const record = recordTitle(head, data);
  const page = own.at(-1)?.title ?? head.title;
  // A form of the record is not the record's page: it has a tab and a name of its own.
  const isForm = record !== undefined && !/\/\d+$/.test(pathname);
  const title = record === undefined ? page : isForm ? `${page} · ${record}` : record;
  const announcer = useAnnouncer(pathname, title);
  const kind = ofList.at(-1)?.title ?? "";
  // As the server has it (`title` in crates/site/src/pages/mod.rs). Before the effects of the page, which may put a number before it.
  const below = record === undefined ? title : `${record} · ${kind || page}`;
  const documentTitle = settings.pageTitle ? `${below} · Leadlane` : "Leadlane";
  useLayoutEffect(() => void (document.title = documentTitle), [documentTitle]);
  useTabScroll();
  const isPage = viewer !== null && !head.isSpecial;
  useEffect(() => {
    if (isPage) noteRecent({ title, name, fullPath: pathname + search, query: parseQuery(search) });
  }, [isPage, title, name, pathname, search]);
  const owner = viewer ? ownerOf(viewer) : undefined;
  useEffect(() => {
    if (owner !== undefined && record !== undefined && !isForm) noteRecord(owner, { title: record, fullPath: pathname, detail: kind });
  }, [owner, record, isForm, kind, pathname]);
  useEffect(watchDevice, []);
  useEffect(() => {
    // Does nothing where the menu is a column.
    closePopover(SIDER_ID);
    closePopover(MESSAGES_ID);
  }, [pathname]);
  const hasSider = viewer !== null && settings.menu;
  // The user block is in the navbar or in the sider, so that users can always sign out.
  const hasNavbar = settings.navbar || !settings.menu;
  const classes = ["app", hasSider && "has-sider", isCollapsed && "is-collapsed"];

  return (
    <div className={classes.filter(Boolean).join(" ")}>
      <a className="app-skip" href="#main">
        {t("shell.skip")}
      </a>
      {hasSider && (
        <Sider
          menu={menu}
          trail={trail}
          hasUser={!hasNavbar}
          isCollapsed={isCollapsed}
          onCollapse={() => setCollapsed(!isCollapsed)}
          dialogs={dialogs}
        />
      )}
      <div className="app-body">
        {viewer && (
          <header className="app-top">
            <OfflineBar />
            {settings.menu && <PhoneBar />}
            {hasNavbar && <Navbar above={above} title={title} dialogs={dialogs} />}
            {settings.tabBar && <TabBar name={name} head={head} title={title} />}
          </header>
        )}
        <main id="main" className="app-main" tabIndex={-1}>
          {viewer && !hasNavbar && <Breadcrumb above={above} title={title} />}
          {viewer && parseQuery(search)[LEFT_OUT] && (
            <p className="ll-alert ll-alert-warning" role="status">
              {t("ui.leftOut")}
            </p>
          )}
          {children}
        </main>
        {settings.footer && <footer className="app-footer">{t("shell.footer")}</footer>}
      </div>
      {viewer && !hasNavbar && (
        <button
          type="button"
          className="app-gear"
          aria-label={t("settings.open")}
          title={t("settings.open")}
          aria-haspopup="dialog"
          onClick={dialogs.settings}
        >
          <Icon name="gear" />
        </button>
      )}
      {viewer && <MessagePanel />}
      <div ref={announcer} className="sr-only" role="status" />
      {overlays}
    </div>
  );
}

/** Announces a page's title to screen readers after each navigation; they read the first title with the document. */
function useAnnouncer(pathname: string, title: string) {
  const place = useRef<HTMLDivElement>(null);
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    if (place.current) place.current.textContent = title;
  }, [pathname, title]);
  return place;
}
