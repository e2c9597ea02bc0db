/** Payment orders with their refunds, and payments that fit no order. */
import { type PageTab, PageTabs } from "../../ui/page-tabs";

const orderTabs: readonly PageTab[] = [
  { href: "/payConfig/order-list", label: "paymentOrder.tab" },
  { href: "/payConfig/order-list/refunds", label: "paymentRefund.tab" },
  { href: "/payConfig/order-list/exceptions", label: "paymentException.tab" },
];

interface OrderTabsProps {
  current: "/payConfig/order-list" | "/payConfig/order-list/refunds" | "/payConfig/order-list/exceptions";
}

export function OrderTabs({ current }: OrderTabsProps) {
  return <PageTabs label="paymentOrder.title" tabs={orderTabs} current={current} />;
}
