/** What a compliance check found, and whether it still counts, in a few sentences. */
import type { CheckNow } from "../../../lib/api-types";
import { time } from "../../../lib/format";
import { localeOf, type Translate } from "../../../lib/i18n";
import { foundIn } from "./fields";

export function stateOf(check: CheckNow, t: Translate): string {
  const { result, expired, replaced, changed, validUntil } = check;
  const status = t(`CheckResult.${result}`);
  const at = time(validUntil);
  const found = foundIn(check, localeOf(t)).join(t("ui.comma"));
  const standing = () => {
    if (result === "fail") return t("compliance.why.fail", { status, found });
    if (expired) return t("compliance.why.expired", { status, at });
    if (changed) return t("compliance.why.changed", { status });
    return t(result === "warn" ? "compliance.why.warn" : "compliance.why.pass", { status, found, at });
  };
  return [standing(), ...(replaced ? [t("compliance.why.replaced")] : [])].join(" ");
}
