/** /admin/agreement: the texts that applicants consent to, in their versions. */
import type { AgreementRow } from "../../../lib/api-types";
import { ListPage } from "../../../ui/list-page";
import { agreementActions, create } from "./actions";
import { agreementFields, agreementFilters } from "./fields";

const addressOf = ({ id }: AgreementRow) => `/admin/agreement/${id}`;

export default function Agreements() {
  return (
    <ListPage
      title="agreement.title"
      empty="agreement.empty"
      api="/agreement"
      points="admin/agreement"
      fields={agreementFields}
      filters={agreementFilters}
      href={addressOf}
      create={{ label: "agreement.create", run: create }}
      actions={agreementActions}
    />
  );
}
