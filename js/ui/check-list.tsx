/** Checks one below the other: what came of each, what it was, and why. */
import type { ReactNode } from "react";

/** One check. */
export interface Checked {
  key: string;
  /** What came of it, as a tag. */
  outcome: ReactNode;
  title: string;
  /** Empty where the outcome says all. */
  note: string;
}

export function CheckList({ items }: { items: readonly Checked[] }) {
  return (
    <ol className="ll-checks">
      {items.map(({ key, outcome, title, note }) => (
        <li key={key}>
          {outcome}
          <strong>{title}</strong>
          {note && <p className="ll-quiet">{note}</p>}
        </li>
      ))}
    </ol>
  );
}
