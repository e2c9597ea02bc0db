/** One piece of feedback, every try to inform the channel, and its history. A lazy chunk. */
import type { FeedbackDetail, FeedbackRow } from "../../../lib/api-types";
import { useT } from "../../../lib/i18n";
import { DetailDrawer } from "../../../ui/detail-drawer";
import type { Overlay } from "../../../ui/overlay";
import { PushTries } from "../../plan/share";
import { feedbackFields, feedbackTitles } from "./fields";

interface FeedbackProps {
  overlay: Overlay;
  detail: FeedbackDetail;
}

/** The drawer of feedback. */
export function showFeedback({ overlay, detail }: FeedbackProps) {
  const { id, userNo, tries, lastError } = detail;
  return (
    <DetailDrawer<FeedbackRow>
      overlay={overlay}
      title={userNo}
      row={detail}
      fields={feedbackFields}
      record={`/user/feedback/${id}`}
      history={`/user/feedback/history/${id}`}
      titles={feedbackTitles}
    >
      {tries.length > 0 && <Tries tries={tries} lastError={lastError} />}
    </DetailDrawer>
  );
}

function Tries({ tries, lastError }: Pick<FeedbackDetail, "tries" | "lastError">) {
  const t = useT();
  return (
    <>
      <h3 className="ll-details-title">{t("feedback.tries")}</h3>
      <PushTries tries={tries} lastError={lastError} />
    </>
  );
}
