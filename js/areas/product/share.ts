/** What other areas take from products. */
import type { NewRecord } from "../../ui/new-record";

/** A product of the organisation that is chosen. */
export const newProduct: NewRecord = {
  route: "productList",
  point: "product/list/create",
  none: "product.none",
  make: async (open, t, org) => (await import("./new-record")).makeProduct(open, t, Number(org)),
};
