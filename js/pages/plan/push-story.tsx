/** One push: what was sold, and every try to deliver it with what went out and what came back. A lazy chunk. */
import type { PushStory } from "../../lib/api-types";
import { EMPTY, time } from "../../lib/format";
import { useT } from "../../lib/i18n";
import { Description } from "../../ui/description";
import { Dialog } from "../../ui/dialog";
import type { Overlay } from "../../ui/overlay";
import { pushFields } from "./push-fields";

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
        {story.tries.length === 0 && <p className="ll-quiet">{t("push.noTries")}</p>}
        <ol className="ll-timeline">
          {story.tries.map(({ seq, url, request, httpStatus, response, costMs, error, at }) => (
            <li key={seq}>
              <p>
                <strong>{t("push.try", { seq })}</strong> {t("push.answered", { status: httpStatus ?? EMPTY, ms: costMs })}
                <time dateTime={new Date(at).toISOString()}>{time(at)}</time>
              </p>
              <dl className="ll-details">
                <div>
                  <dt>{t("push.url")}</dt>
                  <dd>{url || EMPTY}</dd>
                </div>
                <div>
                  <dt>{t("push.request")}</dt>
                  <dd>
                    <code>{request}</code>
                  </dd>
                </div>
                <div>
                  <dt>{t(error ? "push.error" : "push.response")}</dt>
                  <dd>
                    <code>{error ?? response ?? EMPTY}</code>
                  </dd>
                </div>
              </dl>
            </li>
          ))}
        </ol>
      </div>
    </Dialog>
  );
}
