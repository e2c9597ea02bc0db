/**
 * New leads as they come: the poll, its sound, and a notification at the top right that stays until
 * it is closed. A lazy chunk with a root of its own, since it belongs to no page.
 */

import { useSyncExternalStore } from "react";
import { createRoot } from "react-dom/client";
import { AppContext, type App } from "../lib/app-context";
import { useT } from "../lib/i18n";
import { usePoints } from "../lib/permissions";
import { Icon } from "../ui/icon";
import { chime } from "./chime";
import { afterAnswer, keepLeadNews, leadNews, onLeadNews } from "./lead-news";
import { pollLeads } from "./lead-poll";
import "./lead-watch.css";

/** Called once a page. */
export function watchLeads(app: App): void {
  const viewer = app.props.viewer?.id;
  if (viewer === undefined) return;
  const place = document.createElement("div");
  place.className = "app-notices";
  // The live region has to be on the page before it has content, or screen readers would not read it.
  place.setAttribute("aria-live", "assertive");
  document.body.append(place);
  createRoot(place).render(
    <AppContext value={app}>
      <LeadNotice viewer={viewer} />
    </AppContext>,
  );
  pollLeads((count) => {
    const before = leadNews();
    const { news, isNew } = afterAnswer(before, viewer, count);
    if (news.count !== before?.count || news.isOpen !== before.isOpen || news.viewer !== before.viewer) keepLeadNews(news);
    if (isNew) chime(() => leadNews()?.isOpen ?? false);
  });
}

/** The lists of new leads, with the permission points that open them. */
const LISTS = [
  { point: "crm/clue/list", href: "/crm/clue?unseen=yes" },
  { point: "plan/push-list/list", href: "/plan/push-list?unseen=yes" },
] as const;

function LeadNotice({ viewer }: { viewer: number }) {
  const t = useT();
  const held = usePoints();
  const list = LISTS.find(({ point }) => held.has(point))?.href;
  const news = useSyncExternalStore(onLeadNews, leadNews);
  if (!news?.isOpen || news.viewer !== viewer) return null;
  return (
    <div className="app-notice" role="group" aria-labelledby="lead-notice">
      <Icon name="bell" />
      <div>
        <p id="lead-notice" className="app-notice-title">
          {t("leads.title")}
        </p>
        <p>{t("leads.text")}</p>
        {list && (
          <a className="ll-link" href={list} onClick={() => keepLeadNews({ ...news, isOpen: false })}>
            {t("leads.open")}
          </a>
        )}
      </div>
      <button
        type="button"
        className="app-icon-button"
        aria-label={t("leads.close")}
        onClick={() => keepLeadNews({ ...news, isOpen: false })}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
