/** /payConfig/order-list/differences: differences between statements and our payments, and how each was resolved. */
import type { PaymentDifferenceRow } from "../../../lib/api-types";
import { ListPage } from "../../../ui/list-page";
import { OrderTabs } from "../tabs";
import { differenceActions } from "./actions";
import { paymentDifferenceFields, paymentDifferenceFilters } from "./fields";

/** The parameter of links from a statement to its differences: a search keeps it, a reset removes it. */
const KEPT = ["paymentStatementId"];

export default function Differences() {
  return (
    <>
      <OrderTabs current="/payConfig/order-list/differences" />
      <ListPage<PaymentDifferenceRow>
        title="paymentDifference.title"
        empty="paymentDifference.empty"
        api="/payDifference"
        points="payConfig/order-list"
        fields={paymentDifferenceFields}
        filters={paymentDifferenceFilters}
        kept={KEPT}
        href={({ id }) => `/payConfig/order-list/differences/${id}`}
        actions={differenceActions}
      />
    </>
  );
}
