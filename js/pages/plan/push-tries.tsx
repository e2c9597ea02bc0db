/** Every try to deliver a lead, with what went out and what came back. */
import type { PushAttempt } from "../../lib/api-types";
import { EMPTY, time } from "../../lib/format";
import { useT } from "../../lib/i18n";
import { Details } from "../../ui/details";

export function PushTries({ tries }: { tries: readonly PushAttempt[] }) {
  const t = useT();
  if (tries.length === 0) return <p className="ll-quiet">{t("push.noTries")}</p>;
  return (
    <ol className="ll-timeline">
      {tries.map(({ seq, url, request, httpStatus, response, costMs, error, at }) => (
        <li key={seq}>
          <p>
            <strong>{t("push.try", { seq })}</strong> {t("push.answered", { status: httpStatus ?? EMPTY, ms: costMs })}
            <time dateTime={new Date(at).toISOString()}>{time(at)}</time>
          </p>
          <Details
            items={[
              [t("push.url"), url || EMPTY],
              [t("push.request"), <code key="request">{request}</code>],
              [t(error ? "push.error" : "push.response"), <code key="answer">{error ?? response ?? EMPTY}</code>],
            ]}
          />
        </li>
      ))}
    </ol>
  );
}
