/** Names of plans: links for viewers who may open plans. */
import { Fragment } from "react";

import { useT } from "../../../lib/i18n";
import { useHasPoint } from "../../../lib/permissions";

interface PlanLinkProps {
  id: number | null;
  name: string;
  /** It stands in a sentence, where colour alone would not show that it is a link. */
  inText?: boolean;
}

export function PlanLink({ id, name, inText = false }: PlanLinkProps) {
  const maySee = useHasPoint(["plan/list/view"]);
  if (id === null || !maySee) return name;
  return (
    <a className={inText ? "ll-link underline" : "ll-link"} href={`/plan/list/${id}`}>
      {name}
    </a>
  );
}

/** Several names, one after another. */
export function PlanLinks({ plans }: { plans: readonly PlanLinkProps[] }) {
  const t = useT();
  return (
    <span>
      {plans.map(({ id, name }, i) => (
        <Fragment key={id}>
          {i > 0 && t("ui.comma")}
          <PlanLink id={id} name={name} />
        </Fragment>
      ))}
    </span>
  );
}
