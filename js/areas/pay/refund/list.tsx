/** /payConfig/order-list/refunds: refunds of paid orders and their approvals. */
import type { PaymentRefundRow } from "../../../lib/api-types";
import { ListPage } from "../../../ui/list-page";
import { OrderTabs } from "../tabs";
import { refundActions } from "./actions";
import { paymentRefundFields, paymentRefundFilters } from "./fields";

export default function Refunds() {
  return (
    <>
      <OrderTabs current="/payConfig/order-list/refunds" />
      <ListPage<PaymentRefundRow>
        title="paymentRefund.title"
        empty="paymentRefund.empty"
        api="/payRefund"
        points="payConfig/order-list"
        fields={paymentRefundFields}
        filters={paymentRefundFilters}
        href={({ id }) => `/payConfig/order-list/refunds/${id}`}
        actions={refundActions}
      />
    </>
  );
}
