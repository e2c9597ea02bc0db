/** The sentence of state at the top of a record's page, and what keeps the viewer from deciding on the record. */
import type { ReactNode } from "react";

import type { OpenDecision } from "../lib/api-types";
import { useT } from "../lib/i18n";
import { useViewer } from "../lib/props";
import { NoOther } from "./waits-for";

interface RecordStateProps {
  /** What state the record is in. */
  text: string;
  /** What waits for a second person; absent or null: nothing does. */
  decision?: OpenDecision | null | undefined;
  /** Links that follow. */
  children?: ReactNode;
}

/** @example <RecordState text={stateOf(row, t)} decision={row.decision} /> */
export function RecordState({ text, decision, children }: RecordStateProps) {
  return (
    <p className="mb-4">
      {text}
      {decision && <SecondPerson decision={decision} />}
      {children && <> {children}</>}
    </p>
  );
}

/** What keeps an open decision from being made: no other account may decide, or the viewer is one of its makers. It follows a sentence. */
export function SecondPerson({ decision: { makers, noOther } }: { decision: OpenDecision }) {
  const t = useT();
  const viewer = useViewer();
  if (noOther) {
    return (
      <>
        {" "}
        <NoOther />
      </>
    );
  }
  return viewer && makers.includes(viewer.id) ? ` ${t("ui.ownDecision")}` : null;
}
