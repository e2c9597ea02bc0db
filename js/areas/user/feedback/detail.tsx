/** /user/feedback-list/:id: one piece of feedback: how far it was handled, what it says, and every try to inform the channel. */
import type { FeedbackDetail } from "../../../lib/api-types";
import { EMPTY } from "../../../lib/format";
import { useT } from "../../../lib/i18n";
import { useHasPoint } from "../../../lib/permissions";
import { Description } from "../../../ui/description";
import { DetailPage } from "../../../ui/detail-page";
import type { Field } from "../../../ui/field";
import { RecordLink } from "../../../ui/record-link";
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
      fields={linkedFields}
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
const linkedFields = (feedbackFields as readonly Field<FeedbackDetail>[]).map((field): Field<FeedbackDetail> => {
  switch (field.key) {
    case "userNo":
      return { ...field, show: ({ userId, userNo }) => <Applicant id={userId} name={userNo} /> };
    case "nameMask":
      return { ...field, show: ({ userId, nameMask, test }, t) => withTestTag(<Applicant id={userId} name={nameMask} />, test, t) };
    case "pushNo":
      return {
        ...field,
        show: ({ pushId, pushNo }) =>
          pushNo === null ? EMPTY : <RecordLink href={`/plan/push-list/${pushId}`} point="plan/push-list/view" name={pushNo} />,
      };
    case "orgName":
      return {
        ...field,
        show: ({ orgId, orgName }) =>
          orgName === null ? EMPTY : <RecordLink href={`/org/list/${orgId}`} point="org/list/view" name={orgName} />,
      };
    case "channelName":
      return {
        ...field,
        show: ({ channelId, channelName }) => (
          <RecordLink href={`/channel/list/${channelId}`} point="channel/list/view" name={channelName} />
        ),
      };
    default:
      return field;
  }
});

const detailFields = linkedFields.filter(({ key }) => key !== "handleStatus");

function Applicant({ id, name }: { id: number; name: string }) {
  return <RecordLink href={`/user/list/${id}`} point="user/list/view" name={name} />;
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
