/** /user/match-list/:id: one question or round: what came of it, what was asked and answered, and the plans passed over. */
import type { MatchDetail } from "../../../lib/api-types";
import { EMPTY } from "../../../lib/format";
import { useT } from "../../../lib/i18n";
import { Description } from "../../../ui/description";
import { DetailPage } from "../../../ui/detail-page";
import type { Field } from "../../../ui/field";
import { RecordLink } from "../../../ui/record-link";
import { withTestTag } from "../../../ui/test-tag";
import { PlanLink } from "../../plan/share";
import { MatchBody } from "./body";
import { matchFields } from "./fields";
import { outcomeOf } from "./outcome";

/** Shown in the head of the page. */
const HEAD: readonly string[] = ["no", "status"];

export default function MatchPage() {
  return (
    <DetailPage<MatchDetail>
      load="match"
      list={{ href: "/user/match-list", title: "match.title" }}
      points="user/match-list"
      title={({ no }) => no}
      status="status"
      sentence={(match, t) => <p className="mb-4">{outcomeOf(match, t)}</p>}
      facts={["direction", "userNo", "channelName", "planName", "orgName", "bidCents", "createdAt"]}
      fields={linkedFields}
      tabs={[{ name: "details", label: "ui.details", show: (match) => <Facts match={match} /> }]}
    />
  );
}

/** The fields of the page: the names of other records are links. */
const linkedFields = (matchFields as readonly Field<MatchDetail>[]).map((field): Field<MatchDetail> => {
  switch (field.key) {
    case "userNo":
      return {
        ...field,
        show: ({ userId, userNo }) =>
          userNo === null ? EMPTY : <RecordLink href={`/user/list/${userId}`} point="user/list/view" name={userNo} />,
      };
    case "channelName":
      return {
        ...field,
        show: ({ channelId, channelName, test }, t) =>
          withTestTag(<RecordLink href={`/channel/list/${channelId}`} point="channel/list/view" name={channelName} />, test, t),
      };
    case "planName":
      return { ...field, show: ({ planId, planName }) => (planName === null ? EMPTY : <PlanLink id={planId} name={planName} />) };
    case "orgName":
      return {
        ...field,
        show: ({ orgId, orgName }) =>
          orgName === null ? EMPTY : <RecordLink href={`/org/list/${orgId}`} point="org/list/view" name={orgName} />,
      };
    default:
      return field;
  }
});

const detailFields = linkedFields.filter(({ key }) => !HEAD.includes(key));

/** The fields that have a value, what was asked and answered, and the plans passed over. */
function Facts({ match }: { match: MatchDetail }) {
  const t = useT();
  const { request, response, passedOver } = match;
  const isBare = !request && !response && passedOver.length === 0;
  return (
    <>
      <Description wide filled fields={detailFields} row={match} />
      <h2 className="ll-details-title">{t("match.exchange")}</h2>
      {isBare ? <p className="ll-quiet">{t("match.nothing")}</p> : <MatchBody match={match} />}
    </>
  );
}
