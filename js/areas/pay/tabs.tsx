/** Payment orders with their refunds, payments that fit no order, and reconciliation. */
import { useViewer } from "../../lib/props";
import { type PageTab, PageTabs } from "../../ui/page-tabs";

const orderTabs: readonly PageTab[] = [
  { href: "/payConfig/order-list", label: "paymentOrder.tab" },
  { href: "/payConfig/order-list/refunds", label: "paymentRefund.tab" },
];

/** Screens whose rows only platform staff see. */
const staffTabs: readonly PageTab[] = [
  { href: "/payConfig/order-list/exceptions", label: "paymentException.tab" },
  { href: "/payConfig/order-list/reports", label: "paymentReport.tab" },
  { href: "/payConfig/order-list/statements", label: "paymentStatement.tab" },
  { href: "/payConfig/order-list/differences", label: "paymentDifference.tab" },
];

interface OrderTabsProps {
  current:
    | "/payConfig/order-list"
    | "/payConfig/order-list/refunds"
    | "/payConfig/order-list/exceptions"
    | "/payConfig/order-list/reports"
    | "/payConfig/order-list/statements"
    | "/payConfig/order-list/differences";
}

export function OrderTabs({ current }: OrderTabsProps) {
  const isStaff = useViewer()?.orgId === null;
  return <PageTabs label="paymentOrder.title" tabs={isStaff ? [...orderTabs, ...staffTabs] : orderTabs} current={current} />;
}
