/** What people decided on a push: of one in doubt, and that it was cancelled or pushed again. */
import type { PushVerdict } from "../../../lib/api-types";
import { EMPTY, time } from "../../../lib/format";
import { type MessageKey, useT } from "../../../lib/i18n";
import { Details } from "../../../ui/details";
import { labelOf } from "../../../ui/field";

const notes: Readonly<Record<string, MessageKey>> = {
  taken: "push.note",
  not_taken: "push.note",
  cancelled: "push.cancelReason",
  repeated: "push.repeatedNo",
};

export function Verdicts({ verdicts }: { verdicts: readonly PushVerdict[] }) {
  const t = useT();
  return (
    <>
      <h2 className="ll-details-title">{t("push.verdicts")}</h2>
      <ol className="ll-timeline">
        {verdicts.map(({ at, adminName, decision, note }) => (
          <li key={at}>
            <p>
              <strong>{labelOf(t, "push.verdict", decision)}</strong> {adminName}
              <time dateTime={new Date(at).toISOString()}>{time(at)}</time>
            </p>
            {notes[decision] && <Details items={[[t(notes[decision]), note ?? EMPTY]]} />}
          </li>
        ))}
      </ol>
    </>
  );
}
