/** The pages of clues, as tabs. */
import { type PageTab, PageTabs } from "../../ui/page-tabs";

const tabs: readonly PageTab[] = [
  { href: "/crm/clue", label: "clue.listTab", point: "crm/clue/list" },
  { href: "/crm/board", label: "clue.boardTab", point: "crm/clue/list" },
  { href: "/crm/pool", label: "clue.poolTab", point: "crm/clue/claim" },
  { href: "/crm/money", label: "clue.moneyTab", point: "crm/clue/money" },
  { href: "/crm/money-days", label: "moneyDay.tab", point: "crm/clue/money" },
];

export function CrmTabs({ current }: { current: "/crm/clue" | "/crm/board" | "/crm/pool" | "/crm/money" | "/crm/money-days" }) {
  return <PageTabs label="clue.title" tabs={tabs} current={current} />;
}
