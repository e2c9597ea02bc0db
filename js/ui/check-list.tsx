/** Checks one below the other: the outcome of each, its title and a note. */
import type { ReactNode } from "react";

/** One check. */
export interface Checked {
  key: string;
  /** The outcome, as a tag. */
  outcome: ReactNode;
  title: string;
  /** Empty if the outcome is enough. */
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
