/** Who may decide on what waits for a second person, and where to make an account if no other may. */
import type { ReactNode } from "react";

import type { OpenDecision } from "../lib/api-types";
import { type Translate, useT } from "../lib/i18n";
import { useHasPoint } from "../lib/permissions";

/** The text, by default that others than the makers decide; if no other account may, it says so. */
export function reviewers(
  { makerNames, noOther }: OpenDecision,
  t: Translate,
  text: string = t("ui.waitsFor", { names: makerNames }),
): ReactNode {
  return noOther ? <NoOther /> : text;
}

/** No other account may decide. */
export function NoOther() {
  const t = useT();
  const mayMake = useHasPoint(["admin/list/create"]);
  return (
    <>
      {t("ui.noOther")}{" "}
      {mayMake && (
        <a className="ll-link underline" href="/admin/list">
          {t("ui.newAdmin")}
        </a>
      )}
    </>
  );
}
