/** A return: why the lead is given back, and what was decided. */
import type { ReturnRow } from "../../../lib/api-types";
import { minute } from "../../../lib/format";
import { Description } from "../../../ui/description";
import type { Field } from "../../../ui/field";
import { returnFields } from "./fields";

const DAY_MS = 24 * 3600 * 1000;

interface ReturnDetailsProps {
  row: ReturnRow;
  /** When the lead was sold, for the age of the sale at the request; absent or null: it is not shown. */
  soldAt?: number | null;
  /** As many columns as there is room for, without fields that have no value. */
  wide?: boolean;
}

export function ReturnDetails({ row, soldAt = null, wide = false }: ReturnDetailsProps) {
  // Staff of a buyer do not see whether the channel pays for it.
  const fields = returnFields
    .filter(({ key }) => key !== "chargeChannel" || row.chargeChannel !== null)
    .map((field): Field<ReturnRow> => (field.key === "createdAt" && soldAt !== null ? requestedAt(field, soldAt) : field));
  return <Description wide={wide} filled={wide} fields={fields} row={row} />;
}

/** The time of the request, with the age of the sale then. */
function requestedAt(field: Field<ReturnRow>, soldAt: number): Field<ReturnRow> {
  return {
    ...field,
    show: ({ createdAt }, t) => t("return.requestedAfter", { at: minute(createdAt), days: Math.floor((createdAt - soldAt) / DAY_MS) }),
  };
}
