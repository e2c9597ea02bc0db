/** /chat/client: the customers who write in the chat, and everything that is done with them. */
import type { CustomerRow } from "../../../lib/api-types";
import { ListPage } from "../../../ui/list-page";
import { customerActions } from "./actions";
import { customerFields, customerFilters } from "./fields";

export default function Customers() {
  return (
    <ListPage<CustomerRow>
      title="customer.title"
      empty="customer.empty"
      api="/chat/client"
      points="chat/client"
      fields={customerFields}
      filters={customerFilters}
      href={({ id }) => `/chat/client/${id}`}
      actions={customerActions}
    />
  );
}
