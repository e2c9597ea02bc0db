/** The accounts of organisations with what is posted, corrected and stated of them; invoices with what can be invoiced; what channels are owed and paid. */
import { type PageTab, PageTabs } from "../../ui/page-tabs";

const accountTabs: readonly PageTab[] = [
  { href: "/finance/account", label: "account.tab" },
  { href: "/finance/account/overview", label: "finance.overview" },
  { href: "/finance/account/entries", label: "entry.tab" },
  { href: "/finance/account/adjustments", label: "adjustment.tab" },
  { href: "/finance/account/statements", label: "statement.tab" },
  { href: "/finance/account/balances", label: "balance.tab", point: "finance/account/journal" },
  { href: "/finance/account/transfers", label: "transfer.tab", point: "finance/account/journal" },
];

interface AccountTabsProps {
  current:
    | "/finance/account"
    | "/finance/account/overview"
    | "/finance/account/entries"
    | "/finance/account/adjustments"
    | "/finance/account/statements"
    | "/finance/account/balances"
    | "/finance/account/transfers";
}

export function AccountTabs({ current }: AccountTabsProps) {
  return <PageTabs label="account.listTitle" tabs={accountTabs} current={current} />;
}

const invoiceTabs: readonly PageTab[] = [
  { href: "/finance/invoice", label: "invoice.tab" },
  { href: "/finance/invoice/invoiceable", label: "invoiceable.tab" },
];

export function InvoiceTabs({ current }: { current: "/finance/invoice" | "/finance/invoice/invoiceable" }) {
  return <PageTabs label="invoice.listTitle" tabs={invoiceTabs} current={current} />;
}

const partnerTabs: readonly PageTab[] = [
  { href: "/finance/partner", label: "partner.tab" },
  { href: "/finance/partner/items", label: "partner.itemsTab" },
  { href: "/finance/partner/adjustments", label: "partner.adjustmentsTab" },
  { href: "/finance/partner/payouts", label: "payout.tab" },
];

interface PartnerTabsProps {
  current: "/finance/partner" | "/finance/partner/items" | "/finance/partner/adjustments" | "/finance/partner/payouts";
}

export function PartnerTabs({ current }: PartnerTabsProps) {
  return <PageTabs label="partner.title" tabs={partnerTabs} current={current} />;
}
