/** Pages of a list, as links; the page size is a small GET form. Both work without JavaScript. */
import { useEffect, useRef } from "react";

import { count } from "../lib/format";
import { useT } from "../lib/i18n";
import { Kept } from "../lib/kept";
import { type ListQuery, listSearch } from "../lib/list-query";
import { useNavigate } from "../lib/visit";
import { Icon } from "./icon";
import { pageWindow } from "./page-window";

const PAGE_SIZES = [10, 20, 50, 100, 200];

interface PaginationProps {
  pathname: string;
  query: ListQuery;
  total: number;
  totalIsExact: boolean;
  /** If only the newest rows are sorted, their number. */
  newest?: number | undefined;
}

export function Pagination({ pathname, query, total, totalIsExact, newest }: PaginationProps) {
  const t = useT();
  const { current, pageSize } = query;
  const last = Math.max(1, Math.ceil(total / pageSize));
  const first = pathname + listSearch(query, { current: 1 });
  const href = (page: number) => (page === 1 ? first : `${first}${first === pathname ? "?" : "&"}current=${page}`);
  // If the rows of this page were removed while it was open, the new last page is opened instead.
  const navigate = useNavigate();
  const [here, instead, isBeyond] = [href(current), href(last), totalIsExact && total > 0 && current > last];
  const shown = useRef("");
  useEffect(() => {
    if (!isBeyond) shown.current = here;
    else if (shown.current === here) void navigate(instead, { replace: true });
  }, [here, instead, isBeyond, navigate]);
  return (
    <Kept
      as="nav"
      of={["pages", pathname, query, total, totalIsExact, newest]}
      ofAddress
      className="ll-pages"
      aria-label={t("ui.pagination")}
    >
      {() => (
        <>
          <p role="status">
            {t(totalIsExact ? "ui.total" : "ui.totalAbout", { count: count(total) })}
            {newest !== undefined && t("ui.newestSorted", { count: count(newest) })}
          </p>
          <p className="ll-pages-paper">{totalIsExact ? t("ui.pageOf", { page: current, last }) : t("ui.page", { page: current })}</p>
          <ul>
            <Turn label={t("ui.previousPage")} icon="chevron-left" href={current > 1 ? href(Math.min(current - 1, last)) : undefined} />
            {pageWindow(current, last).map((page, index) => (
              <li key={page ?? `gap${index}`}>
                {page === null ? (
                  <span aria-hidden="true">…</span>
                ) : (
                  <a href={href(page)} aria-label={t("ui.page", { page })} aria-current={page === current ? "page" : undefined}>
                    {page}
                  </a>
                )}
              </li>
            ))}
            <Turn label={t("ui.nextPage")} icon="chevron-right" href={current < last ? href(current + 1) : undefined} />
          </ul>
          <PageSize pathname={pathname} query={query} />
        </>
      )}
    </Kept>
  );
}

/** The link to the previous or the next page; if there is none, it stays in its place without an address. */
function Turn({ label, icon, href }: { label: string; icon: "chevron-left" | "chevron-right"; href?: string }) {
  return (
    <li>
      <a href={href} aria-label={label} role={href ? undefined : "link"} aria-disabled={href ? undefined : true}>
        <Icon name={icon} />
      </a>
    </li>
  );
}

function PageSize({ pathname, query }: { pathname: string; query: ListQuery }) {
  const t = useT();
  const { sort, order, filters, pageSize } = query;
  const kept = { ...filters, ...(sort ? { sort, order } : {}) };
  const sizes = PAGE_SIZES.includes(pageSize) ? PAGE_SIZES : [...PAGE_SIZES, pageSize].sort((a, b) => a - b);
  return (
    <form method="get" action={pathname}>
      {Object.entries(kept).map(([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />)}
      <select
        key={pageSize}
        name="pageSize"
        className="ll-select"
        aria-label={t("ui.pageSize")}
        defaultValue={pageSize}
        onChange={({ target }) => target.form?.requestSubmit()}
      >
        {sizes.map((size) => (
          <option key={size} value={size}>
            {t("ui.perPage", { count: size })}
          </option>
        ))}
      </select>
      <noscript>
        <button type="submit" className="ll-btn ll-btn-outline">
          {t("ui.apply")}
        </button>
      </noscript>
    </form>
  );
}
