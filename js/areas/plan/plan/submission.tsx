/** What the question before a submission says. A lazy chunk. */
import type { ReactNode } from "react";

import type { Reviewers } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import type { Translate } from "../../../lib/i18n";
import { NoOther } from "../../../ui/waits-for";

/** What follows the submission of a plan, with a warning if no other account may approve it. */
export async function submission(t: Translate): Promise<ReactNode> {
  const { others } = await api.get<Reviewers>("/plan/reviewers");
  if (others) return t("plan.submitText");
  return (
    <>
      <p>{t("plan.submitText")}</p>
      <p>
        <NoOther />
      </p>
    </>
  );
}
