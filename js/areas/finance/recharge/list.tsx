/** /finance/recharge: money that goes into the accounts of organisations, and who approves it. */
import type { RechargeRow, SelectOption } from "../../../lib/api-types";
import { useLoaded, useViewer } from "../../../lib/props";
import { ListPage } from "../../../ui/list-page";
import { apply, rechargeActions } from "./actions";
import { rechargeFields, rechargeFilters } from "./fields";

export default function RechargeList() {
  const orgs = useLoaded<SelectOption[]>("orgs") ?? [];
  const payees = useLoaded<SelectOption[]>("payees") ?? [];
  const byStaff = useViewer()?.orgId === null;
  return (
    <ListPage<RechargeRow>
      title="recharge.title"
      empty="recharge.empty"
      api="/finance/recharge"
      points="finance/recharge"
      fields={rechargeFields}
      filters={rechargeFilters}
      href={({ id }) => `/finance/recharge/${id}`}
      create={{ label: "recharge.create", run: (list) => apply(list, { orgs, payees, byStaff }) }}
      actions={rechargeActions}
    />
  );
}
