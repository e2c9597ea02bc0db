/** /plan/push-list: the leads that plans bought, and how each reached its buyer. */
import type { PushRow, PushStory } from "../../lib/api-types";
import { api } from "../../lib/api";
import { useViewer } from "../../lib/props";
import { type List, ListPage, type RowAction } from "../../ui/list-page";
import { pushFields, pushFilters } from "./push-fields";

export default function PushList() {
  const byStaff = useViewer()?.orgId === null;
  return (
    <ListPage
      title="push.title"
      empty="push.empty"
      api="/plan/push"
      points="plan/push-list"
      fields={pushFields}
      filters={pushFilters}
      actions={[
        ...actions,
        { label: "feedback.enter", point: "user/feedback-list/create", when: isKnown, run: (row, list) => enterOn(row, byStaff, list) },
      ]}
    />
  );
}

const actions: readonly RowAction<PushRow>[] = [{ label: "push.view", point: "view", run: view }];

/** Whether an organisation has it, and it is known whom it is about. */
const isKnown = ({ status, userId }: PushRow) => status === "accepted" && userId !== null;

async function view({ id }: PushRow, { open }: List) {
  const [{ showPush }, story] = await Promise.all([import("./push-story"), api.get<PushStory>(`/plan/push/${id}`)]);
  await open((overlay) => showPush({ overlay, story }));
}

async function enterOn({ id, no }: PushRow, byStaff: boolean, list: List) {
  const { enterFeedback } = await import("../user/feedback-form");
  if (await enterFeedback({ no, pushId: id }, byStaff, list)) await list.reload("feedback.entered");
}
