/** The accounts of organisations, and what is posted, corrected and stated of them. */
import { type PageTab, PageTabs } from "../../ui/page-tabs";

const tabs: readonly PageTab[] = [
  { href: "/finance/account", label: "account.tab" },
  { href: "/finance/account/entries", label: "entry.tab" },
  { href: "/finance/account/adjustments", label: "adjustment.tab" },
  { href: "/finance/account/statements", label: "statement.tab" },
];

interface AccountTabsProps {
  current: "/finance/account" | "/finance/account/entries" | "/finance/account/adjustments" | "/finance/account/statements";
}

export function AccountTabs({ current }: AccountTabsProps) {
  return <PageTabs label="account.listTitle" tabs={tabs} current={current} />;
}
