/** Every try to deliver a lead, with what went out and what came back. */
import type { PushAttempt } from "../../../lib/api-types";
import { EMPTY, time } from "../../../lib/format";
import { useT } from "../../../lib/i18n";
import { Details } from "../../../ui/details";
import { labelOf } from "../../../ui/field";

interface TriesProps {
  tries: readonly PushAttempt[];
  /** Why a lead that is still being sent has not arrived. */
  lastError?: string | null;
}

export function PushTries({ tries, lastError }: TriesProps) {
  const t = useT();
  return (
    <>
      {lastError && <Details items={[[t("push.lastError"), labelOf(t, "push.fault", lastError), "wide"]]} />}
      {tries.length > 0 ? <Attempts tries={tries} /> : <p className="ll-quiet">{t("push.noTries")}</p>}
    </>
  );
}

function Attempts({ tries }: Pick<TriesProps, "tries">) {
  const t = useT();
  return (
    <ol className="ll-timeline">
      {tries.map(({ seq, url, request, httpStatus, response, costMs, error, outcome, at }) => (
        <li key={seq}>
          <p>
            <strong>{t("push.try", { seq })}</strong>{" "}
            {outcome === "open" ? t("push.outcome.open") : t("push.answered", { status: httpStatus ?? EMPTY, ms: costMs })}
            <time dateTime={new Date(at).toISOString()}>{time(at)}</time>
          </p>
          <Details
            items={[
              [t("push.url"), url || EMPTY],
              [t("push.request"), <code key="request">{request}</code>],
              ...(outcome && outcome !== "open" ? [[t("push.outcome"), t(`push.outcome.${outcome}`)] as const] : []),
              ...(error ? [[t("push.error"), labelOf(t, "push.fault", error)] as const] : []),
              ...(response || (!error && outcome !== "open")
                ? [[t("push.response"), <code key="response">{response ?? EMPTY}</code>] as const]
                : []),
            ]}
          />
        </li>
      ))}
    </ol>
  );
}
