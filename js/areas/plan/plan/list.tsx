/** /plan/list: what organisations buy, and how it goes. */
import type { PlanNow, SelectOption } from "../../../lib/api-types";
import { useFieldChoices } from "../../../lib/choices";
import { useHasPoint } from "../../../lib/permissions";
import { useLoaded, useViewer } from "../../../lib/props";
import { ListPage } from "../../../ui/list-page";
import { batch, rowActions } from "./actions";
import { planFields, planFilters, type PlanChoices } from "./fields";

const addressOf = ({ id }: PlanNow) => `/plan/list/${id}`;

export default function PlanList() {
  useFieldChoices();
  const orgs = useLoaded<SelectOption[]>("orgs") ?? [];
  const channels = useLoaded<SelectOption[]>("channels") ?? [];
  const choices: PlanChoices = { orgs, channels };
  const isOrganisation = useViewer()?.orgId != null;
  const mayView = useHasPoint(["plan/list/view"]);
  return (
    <ListPage<PlanNow>
      title="plan.title"
      empty="plan.empty"
      api="/plan"
      points="plan/list"
      fields={planFields}
      filters={planFilters}
      href={mayView ? addressOf : undefined}
      create={{ label: "plan.create", href: "/plan/list/new" }}
      actions={rowActions(choices, isOrganisation)}
      batch={batch}
    />
  );
}
