/** How a product's status may change; the server refuses everything else with 1006. */
import type { ProductStatus } from "../../lib/api-types";

const transitions: Readonly<Record<ProductStatus, readonly ProductStatus[]>> = {
  draft: ["online"],
  online: ["offline"],
  offline: ["online", "archived"],
  archived: [],
};

/** Whether a product in the status `from` may be put into `to`. */
export function mayBecome(from: ProductStatus, to: ProductStatus): boolean {
  return transitions[from].includes(to);
}
