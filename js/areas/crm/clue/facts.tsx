/** The facts of a clue: its fields, the applicant's answers, the sale, and other clues of the same person. */
import type { ClueDetail } from "../../../lib/api-types";
import { saidOf } from "../../../lib/applicant";
import { EMPTY, minute, money, text } from "../../../lib/format";
import { useLocale, useT } from "../../../lib/i18n";
import { placeText } from "../../../lib/places";
import { Description } from "../../../ui/description";
import { Details } from "../../../ui/details";
import { type Field, labelOf } from "../../../ui/field";
import { Icon } from "../../../ui/icon";
import { linkedFields, RecordLink } from "../../../ui/record-link";
import { EnumTag } from "../../../ui/tag";
import { clueFields, stageColors } from "./fields";

/** The fields of the page: the names of other records are links. */
export const linkedClueFields = linkedFields(clueFields as readonly Field<ClueDetail>[]);

export function ClueDetails({ clue }: { clue: ClueDetail }) {
  const t = useT();
  const locale = useLocale();
  const { applicant, samePerson } = clue;
  return (
    <>
      {applicant.consentWithdrawnAt !== null && (
        <p className="ll-alert ll-alert-warning" role="alert">
          <Icon name="warning" />
          {t("clue.consentWithdrawn", { at: minute(applicant.consentWithdrawnAt) })}
        </p>
      )}
      <Description wide fields={linkedClueFields} row={clue} />
      <h3 className="ll-details-title">{t("clue.applicant")}</h3>
      <Details
        items={[
          [t("clue.appliedAt"), minute(applicant.appliedAt)],
          [t("user.sex"), applicant.sex === null ? EMPTY : labelOf(t, "user.sex", applicant.sex)],
          [t("user.age"), text(applicant.age)],
          [t("clue.amount"), money(applicant.amountCents)],
          [t("clue.product"), text(applicant.productName)],
          [t("clue.province"), text(placeText(applicant.province, t))],
          ...saidOf(applicant.said, locale),
        ]}
      />
      <h3 className="ll-details-title">{t("clue.sale")}</h3>
      <Details
        items={[
          [t("clue.pushNo"), <PushNumber key="push" clue={clue} />],
          [t("clue.soldAt"), minute(clue.soldAt)],
          [t("clue.price"), money(clue.priceCents)],
        ]}
      />
      {samePerson.length > 0 && (
        <>
          <h3 className="ll-details-title">{t("clue.samePerson")}</h3>
          <ul className="mb-4 grid gap-2">
            {samePerson.map(({ id, no, stage, ownerName, createdAt, isVisible }) => (
              <li key={id}>
                {isVisible ? (
                  <a className="ll-link" href={`/crm/clue/${id}`}>
                    {no}
                  </a>
                ) : (
                  no
                )}{" "}
                <EnumTag labels="ClueStage" value={stage} colors={stageColors} />{" "}
                <span className="ll-quiet">
                  {ownerName ?? t("clue.noOwner")} · {minute(createdAt)}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

/** The number of the push that brought the clue, if one did. */
function PushNumber({ clue: { pushId, pushNo } }: { clue: ClueDetail }) {
  return pushNo === null ? EMPTY : <RecordLink href={`/plan/push-list/${pushId}`} point="plan/push-list/view" name={pushNo} />;
}
