/** /admin/sms/:id: one short message: whether it arrived and what can be done, where it went and who decided on it. */
import type { SmsRow } from "../../../lib/api-types";
import { Description } from "../../../ui/description";
import { DetailPage } from "../../../ui/detail-page";
import { LoadedTimeline } from "../../../ui/timeline";
import { smsActions } from "./actions";
import { smsFields } from "./fields";
import { stateOf } from "./state";

const FACTS = ["kind", "phoneMask", "way", "tries", "createdAt"] as const;
/** Shown in the head of the page. */
const HEAD: readonly string[] = [...FACTS, "no", "state"];
const otherFields = smsFields.filter(({ key }) => !HEAD.includes(key));

export default function ShortMessage() {
  return (
    <DetailPage<SmsRow>
      load="sms"
      list={{ href: "/admin/sms", title: "sms.title" }}
      points="admin/sms"
      title={({ no }) => no}
      status="state"
      sentence={(row, t) => <p className="mb-4">{stateOf(row, t)}</p>}
      facts={FACTS}
      fields={smsFields}
      actions={smsActions}
      tabs={[
        { name: "details", label: "sms.details", show: (row) => <Description wide filled fields={otherFields} row={row} /> },
        { name: "history", label: "ui.history", show: () => <LoadedTimeline load="history" fields={smsFields} /> },
      ]}
    />
  );
}
