/** The payee and the instructions that await approval, beside those in use. */
import type { PayeeChannelRow } from "../../../lib/api-types";
import { Description } from "../../../ui/description";
import { shownFields } from "./fields";

export function ProposedTexts({ row }: { row: PayeeChannelRow }) {
  return <Description fields={shownFields} row={{ ...row, ...row.proposed }} previous={row} />;
}
