/** /crm/saleman/:id: one salesperson: what they take and hold, and what was changed. */
import type { SalespersonRow } from "../../../lib/api-types";
import { DetailPage } from "../../../ui/detail-page";
import { linkedFields } from "../../../ui/record-link";
import { recordTabs } from "../../../ui/record-tabs";
import { salespersonActions, useSalespersonChoices } from "./actions";
import { salespersonFields, salespersonTitles } from "./fields";

/** The fields of the page: the names of other records are links. */
const fields = linkedFields(salespersonFields);

export default function SalespersonDetail() {
  return (
    <DetailPage<SalespersonRow>
      load="salesperson"
      list={{ href: "/crm/saleman", title: "salesperson.title" }}
      points="crm/saleman"
      title={({ name }) => name}
      status="status"
      facts={["subOrgName", "held", "assignedToday", "receiving"]}
      fields={fields}
      actions={salespersonActions(useSalespersonChoices())}
      tabs={recordTabs(fields, salespersonTitles)}
    />
  );
}
