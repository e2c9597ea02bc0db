/** One push: what was sold, and every try to deliver it with what went out and what came back. A lazy chunk. */
import type { PushStory } from "../../lib/api-types";
import { useT } from "../../lib/i18n";
import { Description } from "../../ui/description";
import { Dialog } from "../../ui/dialog";
import type { Overlay } from "../../ui/overlay";
import { pushFields } from "./push-fields";
import { PushTries } from "./push-tries";

interface StoryProps {
  overlay: Overlay;
  story: PushStory;
}

/** The drawer of a push. */
export function showPush(props: StoryProps) {
  return <StoryDrawer {...props} />;
}

function StoryDrawer({ overlay, story }: StoryProps) {
  const t = useT();
  return (
    <Dialog overlay={overlay} title={story.no} shape="drawer">
      <div className="ll-dialog-body">
        <Description fields={pushFields} row={story} />
        <h3 className="ll-details-title">{t("push.tries")}</h3>
        <PushTries tries={story.tries} />
      </div>
    </Dialog>
  );
}
