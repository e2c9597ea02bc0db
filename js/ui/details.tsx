/** Names with their values, if they are no fields of one record: the answers of an applicant, a request and its answer. */
import type { ReactNode } from "react";

/** A name and the value beside it; a long value takes the whole width. */
export type Detail = readonly [label: string, value: ReactNode, look?: "wide"];

interface DetailsProps {
  items: readonly Detail[];
  /** As many columns as there is room for. */
  wide?: boolean;
}

export function Details({ items, wide }: DetailsProps) {
  return (
    <dl className={wide ? "ll-details ll-details-wide" : "ll-details"}>
      {items.map(([label, value, look]) => (
        <div key={label} className={look && "ll-details-whole"}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
