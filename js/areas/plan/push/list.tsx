/** /plan/push-list: the leads that plans bought, how each reached its buyer, and which are given back. */
import type { PushRow } from "../../../lib/api-types";
import { useFieldChoices } from "../../../lib/choices";
import { useHasPoint } from "../../../lib/permissions";
import { useViewer } from "../../../lib/props";
import { ListPage } from "../../../ui/list-page";
import { batch, rowActions } from "./actions";
import { pushFields, pushFilters } from "./fields";

const addressOf = ({ id }: PushRow) => `/plan/push-list/${id}`;

export default function PushList() {
  useFieldChoices();
  const byStaff = useViewer()?.orgId === null;
  const mayView = useHasPoint(["plan/push-list/view"]);
  return (
    <ListPage<PushRow>
      title="push.title"
      empty="push.empty"
      api="/plan/push"
      points="plan/push-list"
      fields={pushFields}
      filters={pushFilters}
      href={mayView ? addressOf : undefined}
      actions={rowActions(byStaff)}
      batch={batch}
    />
  );
}
