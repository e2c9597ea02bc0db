/** One push: what was sold, every try to deliver it with what went out and what came back, and its return. A lazy chunk. */
import type { PushStory, ReturnRow } from "../../../lib/api-types";
import { useT } from "../../../lib/i18n";
import { useHasPoint } from "../../../lib/permissions";
import { Description } from "../../../ui/description";
import { Dialog } from "../../../ui/dialog";
import type { Overlay } from "../../../ui/overlay";
import { ReturnDetails } from "../return/details";
import { BoughtPerson } from "./bought-person";
import { pushFields } from "./fields";
import { PushTries } from "./tries";
import { Verdicts } from "./verdicts";

interface StoryProps {
  overlay: Overlay;
  story: PushStory;
  /** The last return that was asked for. */
  returned: ReturnRow | null;
}

/** The drawer of a push. */
export function showPush(props: StoryProps) {
  return <StoryDrawer {...props} />;
}

function StoryDrawer({ overlay, story, returned }: StoryProps) {
  const t = useT();
  const mayReveal = useHasPoint(["plan/push-list/reveal"]);
  return (
    <Dialog overlay={overlay} title={story.no} shape="drawer">
      <div className="ll-dialog-body">
        <Description fields={pushFields} row={story} />
        {mayReveal && story.status === "accepted" && story.userId !== null && <BoughtPerson pushId={story.id} />}
        {returned && (
          <>
            <h3 className="ll-details-title">{t("return.title")}</h3>
            <ReturnDetails row={returned} />
          </>
        )}
        {story.verdicts.length > 0 && <Verdicts verdicts={story.verdicts} />}
        <h3 className="ll-details-title">{t("push.tries")}</h3>
        {story.tries.length > 0 || story.lastError || story.attempts > 0 || story.status !== "accepted" ? (
          <PushTries tries={story.tries} lastError={story.lastError} />
        ) : (
          <p className="ll-quiet">{t("push.byPage")}</p>
        )}
      </div>
    </Dialog>
  );
}
