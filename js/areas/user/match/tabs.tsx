/** How often channels ask and are told yes, and the single questions behind it. */
import { type PageTab, PageTabs } from "../../../ui/page-tabs";

const tabs: readonly PageTab[] = [
  { href: "/user/mate-channel-list", label: "match.daysTab", point: "user/mate-channel-list/list" },
  { href: "/user/match-list", label: "match.title", point: "user/match-list/list" },
];

export function MatchTabs({ current }: { current: "/user/mate-channel-list" | "/user/match-list" }) {
  return <PageTabs label="match.daysTitle" tabs={tabs} current={current} />;
}
