/** /user/list/:id: one applicant: what became of the lead and why, then who it is about. */
import { lazy, Suspense } from "react";

import type { UserConsent, UserStory } from "../../../lib/api-types";
import { saidOf } from "../../../lib/applicant";
import { useFieldChoices } from "../../../lib/choices";
import { EMPTY, money, time } from "../../../lib/format";
import { type Translate, useLocale, useT } from "../../../lib/i18n";
import { earnedOf } from "../../../lib/user-story";
import type { RowAction } from "../../../ui/actions";
import { Description } from "../../../ui/description";
import { DetailPage } from "../../../ui/detail-page";
import { type Detail, Details } from "../../../ui/details";
import type { Field } from "../../../ui/field";
import { LoadedTimeline } from "../../../ui/timeline";
import { userActions } from "./actions";
import { userFields, userHistoryFields } from "./fields";
import { Outcome } from "./outcome";
import { ChannelLink, ProductLink, Story } from "./story";

/** A lazy chunk: few viewers open it. */
const Risk = lazy(() => import("./risk"));

/** Answers that the list shows as fields; the page shows them among all answers. */
const SAID: readonly string[] = ["age", "sex", "city", "amountCents"];

/** The fields of the page: the names of channel and product are links. */
const listed = (userFields as readonly Field<UserStory>[]).map((field): Field<UserStory> => {
  if (field.key === "channelName") return { ...field, show: (story) => <ChannelLink story={story} /> };
  if (field.key !== "productName") return field;
  return { ...field, show: (story) => (story.productName === null ? EMPTY : <ProductLink story={story} />) };
});

const profileFields: readonly Field<UserStory>[] = [
  ...listed.filter(({ key }) => !SAID.includes(key)),
  { key: "money", title: "user.earned", show: ({ money: lines }) => money(earnedOf(lines ?? [])) },
  { key: "channelCostCents", title: "user.channelCost", kind: "money" },
  { key: "invalidNote", title: "user.invalidNote" },
  { key: "enteredBy", title: "user.enteredBy" },
];

/** The technical data of the application. */
const originFields: readonly Field<UserStory>[] = [
  { key: "requestId", title: "user.requestId", kind: "code", copy: true },
  { key: "sourceUrl", title: "user.sourceUrl", kind: "url", copy: true },
  { key: "clientIp", title: "user.clientIp", kind: "code", copy: true },
  { key: "userAgent", title: "user.userAgent" },
  { key: "deviceMask", title: "user.device", kind: "code" },
];

export default function UserDetail() {
  useFieldChoices();
  return (
    <DetailPage<UserStory>
      load="user"
      list={{ href: "/user/list", title: "user.title" }}
      points="user/list"
      title={({ no }) => no}
      status="status"
      sentence={(story) => <Outcome story={story} />}
      facts={["nameMask", "phoneMask", "amountCents", "channelName", "createdAt"]}
      fields={listed}
      actions={userActions as readonly RowAction<UserStory>[]}
      tabs={[
        { name: "story", label: "user.story", show: (story) => <Story story={story} /> },
        { name: "details", label: "user.said", show: (story) => <Profile story={story} /> },
        { name: "origin", label: "user.origin", show: (story) => <Origin story={story} /> },
        {
          name: "risk",
          label: "user.risk",
          point: "user/list/risk",
          show: ({ id, status }, t) =>
            status === "erased" ? (
              <p className="ll-quiet">{t("user.erased")}</p>
            ) : (
              <Suspense>
                <Risk id={id} />
              </Suspense>
            ),
        },
        { name: "history", label: "ui.history", show: () => <LoadedTimeline load="history" fields={userHistoryFields} /> },
      ]}
    />
  );
}

/** The answers, and the fields that have a value. */
function Profile({ story }: { story: UserStory }) {
  const t = useT();
  const locale = useLocale();
  const answers = saidOf(story.said, locale);
  return (
    <>
      {answers.length > 0 ? <Details wide items={answers} /> : <p className="ll-quiet">{t("user.saidNothing")}</p>}
      <h2 className="ll-details-title">{t("user.record")}</h2>
      <Description wide filled fields={profileFields} row={story} />
    </>
  );
}

/** Where the application came from, and the consents. */
function Origin({ story }: { story: UserStory }) {
  const t = useT();
  const { consents } = story;
  return (
    <>
      <Description wide filled fields={originFields} row={story} />
      <h2 className="ll-details-title">{t("user.consents")}</h2>
      {consents.length === 0 && <p className="ll-quiet">{t("user.noConsent")}</p>}
      {consents.map((consent) => (
        <Details key={`${consent.agreement} ${consent.version} ${consent.grantedAt}`} items={consentOf(consent, t)} />
      ))}
    </>
  );
}

/** The applicant's consent. */
function consentOf(
  { agreement, version, textHash, recipients, allPartners, grantedAt, ip, userAgent, revokedAt, revokedVia }: UserConsent,
  t: Translate,
): Detail[] {
  return [
    [t("user.agreement"), `${agreement} ${version}`],
    [t("user.grantedAt"), time(grantedAt)],
    ...(ip ? [[t("user.clientIp"), ip] as const] : []),
    [t("user.recipients"), allPartners ? t("user.allPartners") : recipients.join(t("ui.comma")), "wide"],
    [t("user.textHash"), <code key="hash">{textHash}</code>, "wide"],
    ...(userAgent ? [[t("user.userAgent"), userAgent, "wide"] as const] : []),
    ...(revokedAt === null ? [] : [[t("user.revokedAt"), withdrawnText(revokedAt, revokedVia, t)] as const]),
  ];
}

/** When a consent ended, and who withdrew it. */
function withdrawnText(at: number, via: UserConsent["revokedVia"], t: Translate): string {
  return via === null ? time(at) : `${time(at)}${t("ui.comma")}${t(`WithdrawnVia.${via}`)}`;
}
