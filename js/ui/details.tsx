/** Names with their values, if they are no fields of one record: the answers of an applicant, a request and its answer. */
import type { ReactNode } from "react";

/** A name and the value beside it; a long value takes the whole width. */
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
