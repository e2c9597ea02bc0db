/** /payConfig/order-list/exceptions: payments that fit no order as it is, and how each was settled. */
import type { PaymentExceptionRow } from "../../../lib/api-types";
import { ListPage } from "../../../ui/list-page";
import { OrderTabs } from "../tabs";
import { exceptionActions } from "./actions";
import { paymentExceptionFields, paymentExceptionFilters } from "./fields";

export default function Exceptions() {
  return (
    <>
      <OrderTabs current="/payConfig/order-list/exceptions" />
      <ListPage<PaymentExceptionRow>
        title="paymentException.title"
        empty="paymentException.empty"
        api="/payException"
        points="payConfig/order-list"
        fields={paymentExceptionFields}
        filters={paymentExceptionFilters}
        href={({ id }) => `/payConfig/order-list/exceptions/${id}`}
        actions={exceptionActions}
      />
    </>
  );
}
