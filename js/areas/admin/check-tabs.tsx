/** The two halves of the compliance check: the results and the rules. */
import { type PageTab, PageTabs } from "../../ui/page-tabs";

const tabs: readonly PageTab[] = [
  { href: "/admin/test", label: "compliance.checks" },
  { href: "/admin/test-rules", label: "compliance.rules" },
];

export function TestTabs({ current }: { current: "checks" | "rules" }) {
  return <PageTabs label="compliance.title" tabs={tabs} current={current === "checks" ? "/admin/test" : "/admin/test-rules"} />;
}
