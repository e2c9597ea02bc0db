/** The counts of channels' questions and of positive answers, and the single questions behind them. */
import { type PageTab, PageTabs } from "../../../ui/page-tabs";

const tabs: readonly PageTab[] = [
  { href: "/user/mate-channel-list", label: "match.daysTab", point: "user/mate-channel-list/list" },
  { href: "/user/match-list", label: "match.title", point: "user/match-list/list" },
];

export function MatchTabs({ current }: { current: "/user/mate-channel-list" | "/user/match-list" }) {
  return <PageTabs label="match.daysTitle" tabs={tabs} current={current} />;
}
