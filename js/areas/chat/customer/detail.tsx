/** /chat/client/:id: one customer: their details, conversations and application, and the history. */
import type { CustomerRow } from "../../../lib/api-types";
import { DetailPage } from "../../../ui/detail-page";
import { recordTabs } from "../../../ui/record-tabs";
import { customerActions } from "./actions";
import { customerFields } from "./fields";

export default function CustomerDetail() {
  return (
    <DetailPage<CustomerRow>
      load="customer"
      list={{ href: "/chat/client", title: "customer.title" }}
      points="chat/client"
      title={({ nickname, status }, t) => nickname || t(`CustomerStatus.${status}`)}
      status="status"
      facts={["phoneMask", "conversations", "userNo", "lastInboundAt"]}
      fields={customerFields}
      actions={customerActions}
      tabs={recordTabs(customerFields)}
    />
  );
}
