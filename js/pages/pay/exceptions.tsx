/** /payConfig/order-list/exceptions: payments that fit no order as it is, and how each was settled. */
import type { PaymentExceptionRow } from "../../lib/api-types";
import { ListPage } from "../../ui/list-page";
import { exceptionActions } from "./exception-actions";
import { paymentExceptionFields, paymentExceptionFilters } from "./exception-fields";
import { OrderTabs } from "./tabs";

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
        actions={exceptionActions}
      />
    </>
  );
}
