/** What a decision on a return rests on, beside the return: the age of the sale, the buyer's follow-ups and its share of returns. */
import type { BuyerContacts, PushDetail, ReturnBasis } from "../../../lib/api-types";
import { count, isFew, minute, percent } from "../../../lib/format";
import { type Translate, useT } from "../../../lib/i18n";
import { Details } from "../../../ui/details";
import { RecordLink } from "../../../ui/record-link";

export function ReturnFacts({ push: { soldAt }, basis }: { push: Pick<PushDetail, "soldAt">; basis: ReturnBasis }) {
  const t = useT();
  return (
    <Details
      wide
      items={[
        [t("push.soldAt"), minute(soldAt)],
        [t("return.contacts"), <Contacts key="contacts" contacts={basis.contacts} />],
        [t("return.share"), shareOf(basis, t), "wide"],
      ]}
    />
  );
}

/** How often the buyer recorded a contact, and when; with a link for viewers who may open the lead in its CRM. */
function Contacts({ contacts }: { contacts: BuyerContacts | null }) {
  const t = useT();
  if (contacts === null) return t("return.contacts.unknown");
  const { clueId, clueNo, stage, followCount, firstFollowAt, lastFollowAt } = contacts;
  const params = { stage: t(`ClueStage.${stage}`), count: count(followCount), first: minute(firstFollowAt), last: minute(lastFollowAt) };
  return (
    <>
      {t(followCount === 0 ? "return.contacts.none" : "return.contacts.some", params)}{" "}
      <RecordLink href={`/crm/clue/${clueId}`} point="crm/clue/list" name={clueNo} />
    </>
  );
}

/** @example "8 of 120 leads bought in 30 days (6.67%), this one included" */
export function shareOf({ days, sold, returned }: ReturnBasis, t: Translate): string {
  const share = isFew(sold, false) ? "" : t("return.share.percent", { percent: percent((returned * 10_000) / sold) });
  return t("return.share.of", { days: count(days), sold: count(sold), returned: count(returned), share });
}
