/** /user/match-list/:id: one question or round: what came of it, what was asked and answered, and the plans passed over. */
import type { MatchDetail } from "../../../lib/api-types";
import { type Translate, useT } from "../../../lib/i18n";
import { Description } from "../../../ui/description";
import { DetailPage } from "../../../ui/detail-page";
import type { Field } from "../../../ui/field";
import { linkedFields, RecordLink } from "../../../ui/record-link";
import { withTestTag } from "../../../ui/test-tag";
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
      fields={pageFields}
      tabs={[{ name: "details", label: "ui.details", show: (match) => <Facts match={match} /> }]}
    />
  );
}

/** The fields of the page: the names of other records are links. */
const pageFields = linkedFields(matchFields as readonly Field<MatchDetail>[]).map((field): Field<MatchDetail> =>
  field.key === "channelName" ? { ...field, show: showChannel } : field,
);

function showChannel({ channelId, channelName, test }: MatchDetail, t: Translate) {
  return withTestTag(<RecordLink href={`/channel/list/${channelId}`} point="channel/list/view" name={channelName} />, test, t);
}

const detailFields = pageFields.filter(({ key }) => !HEAD.includes(key));

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
