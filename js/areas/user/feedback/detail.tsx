/** /user/feedback-list/:id: one piece of feedback: how far it was handled, what it says, and every try to inform the channel. */
import type { FeedbackDetail } from "../../../lib/api-types";
import { type Translate, useT } from "../../../lib/i18n";
import { useHasPoint } from "../../../lib/permissions";
import { Description } from "../../../ui/description";
import { DetailPage } from "../../../ui/detail-page";
import type { Field } from "../../../ui/field";
import { linkedFields, RecordLink } from "../../../ui/record-link";
import { withTestTag } from "../../../ui/test-tag";
import { LoadedTimeline } from "../../../ui/timeline";
import { PushTries } from "../../plan/share";
import { feedbackActions } from "./actions";
import { feedbackFields, feedbackTitles } from "./fields";
import { stateOf } from "./state";

export default function FeedbackPage() {
  const mayHandle = useHasPoint(["user/feedback-list/handle"]);
  return (
    <DetailPage<FeedbackDetail>
      load="feedback"
      list={{ href: "/user/feedback-list", title: "feedback.title" }}
      points="user/feedback-list"
      title={({ userNo }) => userNo}
      status="handleStatus"
      sentence={(row, t) => <p className="mb-4">{stateOf(row, t, mayHandle)}</p>}
      facts={["nameMask", "star", "endCode", "loanCents", "orgName", "pushNo", "createdAt"]}
      fields={pageFields}
      actions={feedbackActions}
      tabs={[
        { name: "details", label: "ui.details", show: (row) => <Facts row={row} /> },
        {
          name: "history",
          label: "ui.history",
          show: () => <LoadedTimeline load="history" fields={feedbackFields} titles={feedbackTitles} />,
        },
      ]}
    />
  );
}

/** The fields of the page: the names of other records are links. */
const pageFields = linkedFields(feedbackFields as readonly Field<FeedbackDetail>[]).map((field): Field<FeedbackDetail> =>
  field.key === "nameMask" ? { ...field, show: showName } : field,
);

const detailFields = pageFields.filter(({ key }) => key !== "handleStatus");

function showName({ userId, nameMask, test }: FeedbackDetail, t: Translate) {
  return withTestTag(<RecordLink href={`/user/list/${userId}`} point="user/list/view" name={nameMask} />, test, t);
}

/** The fields that have a value, and every try to inform the channel. */
function Facts({ row }: { row: FeedbackDetail }) {
  const t = useT();
  const { tries, lastError } = row;
  return (
    <>
      <Description wide filled fields={detailFields} row={row} />
      {tries.length > 0 && (
        <>
          <h2 className="ll-details-title">{t("feedback.tries")}</h2>
          <PushTries tries={tries} lastError={lastError} />
        </>
      )}
    </>
  );
}
