/** A return: why the lead is given back, and what was decided. A lazy chunk. */
import type { ReturnRow } from "../../../lib/api-types";
import { Description } from "../../../ui/description";
import { returnFields } from "./fields";

export function ReturnDetails({ row }: { row: ReturnRow }) {
  // Staff of a buyer do not see whether the channel pays for it.
  const fields = returnFields.filter(({ key }) => key !== "chargeChannel" || row.chargeChannel !== null);
  return <Description fields={fields} row={row} />;
}
