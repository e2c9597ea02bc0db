/** /product/list: the loans that applicants are shown. */
import type { ProductRow } from "../../../lib/api-types";
import { useFieldChoices } from "../../../lib/choices";
import { useHasPoint } from "../../../lib/permissions";
import { ListPage } from "../../../ui/list-page";
import { batch, edit, rowActions } from "./actions";
import { productFields, productFilters } from "./fields";

const addressOf = ({ id }: ProductRow) => `/product/list/${id}`;

export default function ProductList() {
  useFieldChoices();
  const mayView = useHasPoint(["product/list/view"]);
  return (
    <ListPage<ProductRow>
      title="product.title"
      empty="product.empty"
      api="/product"
      points="product/list"
      fields={productFields}
      filters={productFilters}
      href={mayView ? addressOf : undefined}
      create={{ label: "product.create", run: (list) => edit(list) }}
      actions={rowActions}
      batch={batch}
    />
  );
}
