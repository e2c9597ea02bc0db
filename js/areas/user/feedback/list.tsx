/** /user/feedback-list: what became of applicants, how it is handled, and whether their channels were informed. */
import type { FeedbackRow } from "../../../lib/api-types";
import { useHasPoint } from "../../../lib/permissions";
import { ListPage } from "../../../ui/list-page";
import { feedbackActions } from "./actions";
import { feedbackFields, feedbackFilters } from "./fields";

const addressOf = ({ id }: FeedbackRow) => `/user/feedback-list/${id}`;

export default function FeedbackList() {
  const mayView = useHasPoint(["user/feedback-list/view"]);
  return (
    <ListPage<FeedbackRow>
      title="feedback.title"
      empty="feedback.empty"
      api="/user/feedback"
      points="user/feedback-list"
      fields={feedbackFields}
      filters={feedbackFilters}
      href={mayView ? addressOf : undefined}
      actions={feedbackActions}
    />
  );
}
