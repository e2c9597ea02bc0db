/** /admin/sms: every short message, what became of it, and what is to be done about those that did not leave. */
import type { SmsRow } from "../../../lib/api-types";
import { useHasPoint } from "../../../lib/permissions";
import { ListPage } from "../../../ui/list-page";
import { smsActions, test } from "./actions";
import { smsFields, smsFilters } from "./fields";
import { SmsRouteNote } from "./route";

const addressOf = ({ id }: SmsRow) => `/admin/sms/${id}`;

export default function ShortMessages() {
  const mayView = useHasPoint(["admin/sms/view"]);
  return (
    <>
      <SmsRouteNote />
      <ListPage
        title="sms.title"
        empty="sms.empty"
        api="/sms"
        points="admin/sms"
        fields={smsFields}
        filters={smsFilters}
        href={mayView ? addressOf : undefined}
        create={{ label: "sms.test", point: "test", run: test }}
        actions={smsActions}
      />
    </>
  );
}
