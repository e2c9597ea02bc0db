/** The organisations and the payees that they pay. */
import { type PageTab, PageTabs } from "../../ui/page-tabs";

const tabs: readonly PageTab[] = [
  { href: "/org/list", label: "org.tab", point: "org/list/list" },
  { href: "/org/payee", label: "payee.title", point: "org/payee/list" },
];

export function OrgTabs({ current }: { current: "/org/list" | "/org/payee" }) {
  return <PageTabs label="org.title" tabs={tabs} current={current} />;
}
