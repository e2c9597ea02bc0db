/** Whether a product is shown to applicants, and why not, in a sentence. */
import type { ProductCheck, ProductNow } from "../../../lib/api-types";
import { minute } from "../../../lib/format";
import type { Translate } from "../../../lib/i18n";

/** `check` is null for viewers who may not put the product online. */
export function standingOf(row: ProductNow, check: ProductCheck | null, t: Translate): string {
  const status = t(`ProductStatus.${row.status}`);
  switch (row.status) {
    case "draft":
    case "offline": {
      const needs = needsOf(row, check, t);
      return needs === "" ? t("product.standing.ready", { status }) : t("product.standing.needs", { status, needs });
    }
    case "archived":
      return t("product.standing.archived", { status });
    case "online": {
      const reasons = row.holds.map((hold) => t(`product.hold.${hold}`)).join(t("ui.comma"));
      if (reasons !== "") return t("product.standing.stopped", { status, reasons });
      return t(row.test ? "product.standing.test" : "product.standing.shown", { status });
    }
  }
}

/** What the product needs to go online; empty if nothing. */
function needsOf({ lenderName, annualRateMaxBp, holds }: ProductNow, check: ProductCheck | null, t: Translate): string {
  const checked = check?.changed && check.check?.result !== "fail" ? minute(check.check?.checkedAt) : undefined;
  return [
    ...(lenderName === "" ? [t("product.standing.needsLender")] : []),
    ...(annualRateMaxBp === 0 ? [t("product.standing.needsRate")] : []),
    ...(holds.includes("organisation") ? [t("product.standing.needsOrg")] : []),
    ...(checked ? [t("product.standing.needsCheckAgain", { at: checked })] : check?.passed ? [] : [t("product.standing.needsCheck")]),
  ].join(t("ui.comma"));
}
