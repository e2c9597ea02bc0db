/** A return: why the lead is given back, and what was decided. A lazy chunk. */
import type { ReturnRow } from "../../lib/api-types";
import { Description } from "../../ui/description";
import { returnFields } from "./return-fields";

export function ReturnDetails({ row }: { row: ReturnRow }) {
  return <Description fields={returnFields} row={row} />;
}
