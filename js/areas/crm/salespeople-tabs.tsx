/** An organisation's salespeople, their teams, and the pools of clues without an owner. */
import { type PageTab, PageTabs } from "../../ui/page-tabs";

const tabs: readonly PageTab[] = [
  { href: "/crm/saleman", label: "salesperson.title" },
  { href: "/crm/team", label: "team.title" },
  { href: "/crm/pool-setting", label: "pool.title" },
];

export function SalespeopleTabs({ current }: { current: "/crm/saleman" | "/crm/team" | "/crm/pool-setting" }) {
  return <PageTabs label="salesperson.title" tabs={tabs} current={current} />;
}
