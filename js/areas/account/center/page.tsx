/** /account/center: who one is here, one's own exports, and where one has signed in from. */

import type { ExportRow, LoginRow, Page, Profile } from "../../../lib/api-types";
import { useT } from "../../../lib/i18n";
import { readListQuery } from "../../../lib/list-query";
import { usePageData } from "../../../lib/props";
import { parseQuery } from "../../../lib/query-string";
import { useLocation } from "../../../lib/visit";
import { buttonClass } from "../../../ui/button";
import { FailedList } from "../../../ui/list-state";
import { Facts, Face } from "../profile";
import { Exports } from "./exports";
import { Logins } from "./logins";

const TABS = ["profile", "exports", "logins"] as const;
type Tab = (typeof TABS)[number];

export default function Center() {
  const t = useT();
  const { pathname, search } = useLocation();
  const requested = parseQuery(search)["tab"];
  const tab: Tab = TABS.find((name) => name === requested) ?? "profile";
  const profile = usePageData<Profile | null>("profile");
  const exports = usePageData<Page<ExportRow> | null>("exports");
  const logins = usePageData<Page<LoginRow> | null>("logins");
  const query = readListQuery(search);
  if (profile.data === null) return <FailedList answer={profile} address={pathname + search} />;
  return (
    <div className="account">
      <header className="ll-card account-head">
        <Face profile={profile.data} large />
        <div>
          <h1 className="ll-title">{t("account.title")}</h1>
          <p className="account-name">{profile.data.name}</p>
          <p className="ll-quiet">{[profile.data.job, profile.data.organization, profile.data.location].filter(Boolean).join(" · ")}</p>
        </div>
        <a className={buttonClass("outline")} href="/account/setting">
          {t("account.toSetting")}
        </a>
      </header>
      <section className="ll-card">
        <nav className="account-tabs" aria-label={t("account.title")}>
          {TABS.map((name) => (
            <a key={name} href={name === "profile" ? pathname : `${pathname}?tab=${name}`} aria-current={name === tab ? "page" : undefined}>
              {t(`account.${name}`)}
            </a>
          ))}
        </nav>
        {tab === "profile" && <Facts profile={profile.data} />}
        {tab === "exports" && <Exports answer={exports} query={query} pathname={pathname} />}
        {tab === "logins" && <Logins answer={logins} query={query} pathname={pathname} />}
      </section>
    </div>
  );
}
