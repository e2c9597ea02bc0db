/** Names with what they stand for, where they are no fields of one record: what somebody said, a request and its answer. */
import type { ReactNode } from "react";

/** A name, and what is shown beside it; over the whole width when that is long. */
export type Detail = readonly [label: string, value: ReactNode, look?: "wide"];

export function Details({ items }: { items: readonly Detail[] }) {
  return (
    <dl className="ll-details">
      {items.map(([label, value, look]) => (
        <div key={label} className={look && "ll-details-whole"}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
