/** What people said of a lead of which nobody knew whether its organisation has it. */
import type { PushVerdict } from "../../lib/api-types";
import { EMPTY, time } from "../../lib/format";
import { useT } from "../../lib/i18n";
import { Details } from "../../ui/details";
import { labelOf } from "../../ui/field";

export function Verdicts({ verdicts }: { verdicts: readonly PushVerdict[] }) {
  const t = useT();
  return (
    <>
      <h3 className="ll-details-title">{t("push.verdicts")}</h3>
      <ol className="ll-timeline">
        {verdicts.map(({ at, adminName, decision, note }) => (
          <li key={at}>
            <p>
              <strong>{labelOf(t, "push.verdict", decision)}</strong> {adminName}
              <time dateTime={new Date(at).toISOString()}>{time(at)}</time>
            </p>
            {decision !== "again" && <Details items={[[t("push.note"), note ?? EMPTY]]} />}
          </li>
        ))}
      </ol>
    </>
  );
}
