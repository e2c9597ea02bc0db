/** /product/list/:id: one product: whether it is shown, its terms, its plans and what happened to it. */
import type { ProductCheck, ProductNow } from "../../../lib/api-types";
import { useFieldChoices } from "../../../lib/choices";
import { useT } from "../../../lib/i18n";
import { usePoints } from "../../../lib/permissions";
import { useLoaded } from "../../../lib/props";
import { buttonClass } from "../../../ui/button";
import { Description } from "../../../ui/description";
import { DetailPage } from "../../../ui/detail-page";
import type { Field } from "../../../ui/field";
import { LatestPlans } from "../../../ui/latest-plans";
import { linkedFields } from "../../../ui/record-link";
import { termsInWords } from "../../../ui/terms-in-words";
import { LoadedTimeline } from "../../../ui/timeline";
import { checksOf, pageActions } from "./actions";
import { productFields } from "./fields";
import { standingOf } from "./standing";

/** The lists with what belongs to a product. */
const lists = [
  { hrefOf: checksOf, label: "product.checks", point: "admin/test/list" },
  { hrefOf: (id: number) => `/product/uv-list?subjectId=${id}`, label: "uv.visits", point: "product/uv-list/list" },
  { hrefOf: (id: number) => `/user/list?productId=${id}`, label: "user.title", point: "user/list/list" },
] as const;

/** Shown in the head of the page. */
const HEAD: readonly string[] = ["name", "status"];

/** The fields of the page: the name of the organisation is a link. */
const pageFields = linkedFields(termsInWords(productFields as readonly Field<ProductNow>[]));

const detailFields = pageFields.filter(({ key }) => !HEAD.includes(key));

export default function ProductDetail() {
  useFieldChoices();
  const check = useLoaded<ProductCheck>("check");
  return (
    <DetailPage<ProductNow>
      load="product"
      list={{ href: "/product/list", title: "product.title" }}
      points="product/list"
      title={({ name }) => name}
      status="status"
      sentence={(row, t) => <p className="mb-4">{standingOf(row, check, t)}</p>}
      facts={["orgName", "uvPriceCents", "annualRateMaxBp", "maxAmountCents", "maxTermMonths"]}
      fields={pageFields}
      actions={pageActions}
      tabs={[
        { name: "details", label: "ui.details", show: (row) => <Terms row={row} /> },
        {
          name: "plans",
          label: "product.plans",
          point: "plan/list/list",
          show: ({ id }) => <LatestPlans load="plans" all={`/plan/list?productId=${id}`} />,
        },
        { name: "history", label: "ui.history", show: () => <LoadedTimeline load="history" fields={productFields} /> },
      ]}
    />
  );
}

/** The terms that have a value, and the lists with what belongs to the product. */
function Terms({ row }: { row: ProductNow }) {
  const t = useT();
  const held = usePoints();
  return (
    <>
      <Description wide filled fields={detailFields} row={row} />
      <div className="ll-toolbar mt-4">
        {lists
          .filter(({ point }) => held.has(point))
          .map(({ hrefOf, label }) => (
            <a key={label} className={buttonClass()} href={hrefOf(row.id)}>
              {t(label)}
            </a>
          ))}
      </div>
    </>
  );
}
