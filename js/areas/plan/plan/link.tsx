/** Names of plans: links for viewers who may open plans. */
import { Fragment } from "react";

import { useT } from "../../../lib/i18n";
import { RecordLink } from "../../../ui/record-link";

interface PlanLinkProps {
  id: number | null;
  name: string;
  /** It stands in a sentence, where colour alone would not show that it is a link. */
  inText?: boolean;
}

export function PlanLink({ id, name, inText }: PlanLinkProps) {
  return id === null ? name : <RecordLink href={`/plan/list/${id}`} point="plan/list/view" name={name} inText={inText} />;
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
