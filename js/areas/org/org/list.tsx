/** /org/list: the organisations that buy leads. */
import type { OrgNow, OrgRow, SelectOption } from "../../../lib/api-types";
import { useHasPoint } from "../../../lib/permissions";
import { useLoaded } from "../../../lib/props";
import { ListPage } from "../../../ui/list-page";
import { OrgTabs } from "../tabs";
import { batch, edit, rowActions } from "./actions";
import { fieldsWithBalances, orgFields, orgFilters, type OrgChoices } from "./fields";

const addressOf = ({ id }: OrgRow) => `/org/list/${id}`;

export default function OrgList() {
  const owners = useLoaded<SelectOption[]>("owners") ?? [];
  const payees = useLoaded<SelectOption[]>("payees") ?? [];
  const choices: OrgChoices = { owners, payees };
  const mayView = useHasPoint(["org/list/view"]);
  const seesBalances = useHasPoint(["finance/account/list"]);
  return (
    <>
      <OrgTabs current="/org/list" />
      <ListPage<OrgNow>
        title="org.title"
        empty="org.empty"
        api="/org"
        points="org/list"
        fields={seesBalances ? fieldsWithBalances : orgFields}
        filters={orgFilters}
        href={mayView ? addressOf : undefined}
        create={{ label: "org.create", run: (list) => edit(undefined, list, choices) }}
        actions={rowActions(choices)}
        batch={batch}
      />
    </>
  );
}
