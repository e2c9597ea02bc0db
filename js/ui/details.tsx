/** Names with what they stand for, where they are no fields of one record: what somebody said, a request and its answer. */
import type { ReactNode } from "react";

/** A name, and what is shown beside it. */
export type Detail = readonly [label: string, value: ReactNode];

export function Details({ items }: { items: readonly Detail[] }) {
  return (
    <dl className="ll-details">
      {items.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
