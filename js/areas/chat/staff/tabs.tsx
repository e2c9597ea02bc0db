/** Service staff, and their figures. */
import { type PageTab, PageTabs } from "../../../ui/page-tabs";

const tabs: readonly PageTab[] = [
  { href: "/chat/manage", label: "chatStaff.title" },
  { href: "/chat/manage/figures", label: "chatFigure.title" },
];

export function StaffTabs({ current }: { current: "/chat/manage" | "/chat/manage/figures" }) {
  return <PageTabs label="chatStaff.title" tabs={tabs} current={current} />;
}
