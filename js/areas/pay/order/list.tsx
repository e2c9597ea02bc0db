/** /payConfig/order-list: payment orders, their payers and their results. */
import type { PaymentOrderRow, SelectOption } from "../../../lib/api-types";
import { useLoaded } from "../../../lib/props";
import { ListPage } from "../../../ui/list-page";
import { OrderTabs } from "../tabs";
import { create, orderActions } from "./actions";
import { paymentOrderFields, paymentOrderFilters } from "./fields";

export default function OrderList() {
  const orgs = useLoaded<SelectOption[]>("orgs") ?? [];
  return (
    <>
      <OrderTabs current="/payConfig/order-list" />
      <ListPage<PaymentOrderRow>
        title="paymentOrder.title"
        empty="paymentOrder.empty"
        api="/payOrder"
        points="payConfig/order-list"
        fields={paymentOrderFields}
        filters={paymentOrderFilters}
        href={({ id }) => `/payConfig/order-list/${id}`}
        create={{ label: "paymentOrder.create", run: (list) => create(list, orgs) }}
        actions={orderActions}
      />
    </>
  );
}
