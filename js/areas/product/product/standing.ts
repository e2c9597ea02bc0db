/** Whether a product is shown to applicants, and why not, in a sentence. */
import type { ProductNow } from "../../../lib/api-types";
import type { Translate } from "../../../lib/i18n";

export function standingOf(row: ProductNow, t: Translate): string {
  const status = t(`ProductStatus.${row.status}`);
  switch (row.status) {
    case "draft":
    case "offline":
      return t("product.standing.needs", { status, needs: needsOf(row, t) });
    case "archived":
      return t("product.standing.archived", { status });
    case "online": {
      const reasons = row.holds.map((hold) => t(`product.hold.${hold}`)).join(t("ui.comma"));
      if (reasons !== "") return t("product.standing.stopped", { status, reasons });
      return t(row.test ? "product.standing.test" : "product.standing.shown", { status });
    }
  }
}

/** What the product needs to go online. */
function needsOf({ lenderName, annualRateMaxBp, holds }: ProductNow, t: Translate): string {
  return [
    ...(lenderName === "" ? [t("product.standing.needsLender")] : []),
    ...(annualRateMaxBp === 0 ? [t("product.standing.needsRate")] : []),
    ...(holds.includes("organisation") ? [t("product.standing.needsOrg")] : []),
    t("product.standing.needsCheck"),
  ].join(t("ui.comma"));
}
