/** /plan/push-list: the leads that plans bought, and how each reached its buyer. */
import type { PushRow, PushStory } from "../../lib/api-types";
import { api } from "../../lib/api";
import { type List, ListPage, type RowAction } from "../../ui/list-page";
import { pushFields, pushFilters } from "./push-fields";

export default function PushList() {
  return (
    <ListPage
      title="push.title"
      empty="push.empty"
      api="/plan/push"
      points="plan/push-list"
      fields={pushFields}
      filters={pushFilters}
      actions={actions}
    />
  );
}

const actions: readonly RowAction<PushRow>[] = [{ label: "push.view", point: "view", run: view }];

async function view({ id }: PushRow, { open }: List) {
  const [{ showPush }, story] = await Promise.all([import("./push-story"), api.get<PushStory>(`/plan/push/${id}`)]);
  await open((overlay) => showPush({ overlay, story }));
}
