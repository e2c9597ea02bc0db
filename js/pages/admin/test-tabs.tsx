/** The two halves of the compliance check: what came out, and the rules. Links, so that each has its address. */
import { useT } from "../../lib/i18n";

export function TestTabs({ current }: { current: "checks" | "rules" }) {
  const t = useT();
  return (
    <nav className="comp-tabs" aria-label={t("compliance.title")}>
      <a href="/admin/test" aria-current={current === "checks" ? "page" : undefined}>
        {t("compliance.checks")}
      </a>
      <a href="/admin/test-rules" aria-current={current === "rules" ? "page" : undefined}>
        {t("compliance.rules")}
      </a>
    </nav>
  );
}
