/** An applicant's whole story. A lazy chunk. */
import { type ReactNode, useEffect, useState } from "react";

import type { FeedbackRow, UserConsent, UserStory } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { saidOf } from "../../../lib/applicant";
import { EMPTY, money, time } from "../../../lib/format";
import { type Translate, useLocale, useT } from "../../../lib/i18n";
import { usePoints } from "../../../lib/permissions";
import { earnedOf, eventsOf, goesOn, type StoryEvent } from "../../../lib/user-story";
import { Description } from "../../../ui/description";
import { AnsweredTimeline } from "../../../ui/detail-drawer";
import { type Detail, Details } from "../../../ui/details";
import { Dialog } from "../../../ui/dialog";
import { type Field, labelOf } from "../../../ui/field";
import { Icon } from "../../../ui/icon";
import type { Overlay } from "../../../ui/overlay";
import { RiskPanel } from "../../../ui/risk-panel";
import { EnumTag } from "../../../ui/tag";
import { starColors } from "../../../ui/stars";
import { pushStatusColors, PushTries, ReturnDetails, returnStatusColors, Verdicts } from "../../plan/share";
import { MatchBody } from "../match/body";
import { matchStatusColors } from "../match/fields";
import { UserChecks } from "./checks";
import { userFields, userHistoryFields } from "./fields";
import "./story.css";

/** How often an unfinished story is fetched again. */
const EVERY_MS = 2000;

interface StoryProps {
  overlay: Overlay;
  story: UserStory;
}

/** The drawer of a story. */
export function showStory(props: StoryProps) {
  return <StoryDrawer {...props} />;
}

/** Answers that the list shows as fields; the story shows them among all answers. */
const SAID: readonly string[] = ["age", "sex", "city", "amountCents"];

const storyFields: readonly Field<UserStory>[] = [
  ...(userFields as readonly Field<UserStory>[]).filter(({ key }) => !SAID.includes(key)),
  { key: "money", title: "user.earned", show: ({ money: lines }) => money(earnedOf(lines ?? [])) },
  { key: "channelCostCents", title: "user.channelCost", kind: "money" },
  { key: "invalidNote", title: "user.invalidNote" },
  { key: "enteredBy", title: "user.enteredBy" },
  { key: "requestId", title: "user.requestId", kind: "code", copy: true },
  { key: "sourceUrl", title: "user.sourceUrl", kind: "url", copy: true },
  { key: "clientIp", title: "user.clientIp", kind: "code", copy: true },
  { key: "userAgent", title: "user.userAgent" },
  { key: "deviceMask", title: "user.device", kind: "code" },
];

/** The same for viewers who may not see what organisations paid. */
const unpaidFields = storyFields.filter(({ key }) => key !== "money");

function StoryDrawer({ overlay, story: first }: StoryProps) {
  const t = useT();
  const locale = useLocale();
  const held = usePoints();
  const story = useStory(first);
  const { id, no, said, consents } = story;
  const answers = saidOf(said, locale);
  return (
    <Dialog overlay={overlay} title={no} shape="wide">
      <div className="ll-dialog-body">
        {story.blacklisted !== null && (
          <p className="ll-alert ll-alert-warning">
            <Icon name="warning" />
            {story.blacklisted}
          </p>
        )}
        <Description fields={story.money === null ? unpaidFields : storyFields} row={story} />
        <h3 className="ll-details-title">{t("user.said")}</h3>
        {answers.length > 0 ? <Details items={answers} /> : <p className="ll-quiet">{t("user.saidNothing")}</p>}
        <h3 className="ll-details-title">{t("user.consents")}</h3>
        {consents.length === 0 && <p className="ll-quiet">{t("user.noConsent")}</p>}
        {consents.map((consent) => (
          <Details key={`${consent.agreement} ${consent.version} ${consent.grantedAt}`} items={consentOf(consent, t)} />
        ))}
        {held.has("user/list/risk") && story.status !== "erased" && <RiskPanel path={(call) => `/user/${call}/${id}`} />}
        <h3 className="ll-details-title">{t("user.story")}</h3>
        <ol className="ll-timeline ll-story">
          {eventsOf(story).map((event, index) => (
            <Event key={index} event={event} story={story} />
          ))}
        </ol>
        <h3 className="ll-details-title">{t("ui.history")}</h3>
        {/* Fetched again for each version of the applicant. */}
        <AnsweredTimeline key={story.version} path={`/user/history/${id}`} fields={userHistoryFields} />
      </div>
    </Dialog>
  );
}

/** The story, fetched again as long as more events will follow. */
function useStory(first: UserStory): UserStory {
  const [story, setStory] = useState(first);
  useEffect(() => {
    if (!goesOn(story)) return undefined;
    const leaving = new AbortController();
    const timer = setTimeout(() => {
      // On a failure, the shown state is only a moment old.
      api.get<UserStory>(`/user/${story.id}`, undefined, { quiet: true, signal: leaving.signal }).then(setStory, () => {});
    }, EVERY_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [story]);
  return story;
}

/** The applicant's consent. */
function consentOf(
  { agreement, version, textHash, recipients, allPartners, grantedAt, ip, userAgent, revokedAt, revokedVia }: UserConsent,
  t: Translate,
): Detail[] {
  return [
    [t("user.agreement"), `${agreement} ${version}`],
    [t("user.grantedAt"), time(grantedAt)],
    [t("user.clientIp"), ip || EMPTY],
    [t("user.recipients"), allPartners ? t("user.allPartners") : recipients.join(t("ui.comma")), "wide"],
    [t("user.textHash"), <code key="hash">{textHash}</code>, "wide"],
    [t("user.userAgent"), userAgent || EMPTY, "wide"],
    ...(revokedAt === null ? [] : [[t("user.revokedAt"), withdrawnText(revokedAt, revokedVia, t)] as const]),
  ];
}

/** When a consent ended, and who withdrew it. */
function withdrawnText(at: number, via: UserConsent["revokedVia"], t: Translate): string {
  return via === null ? time(at) : `${time(at)}${t("ui.comma")}${t(`WithdrawnVia.${via}`)}`;
}

function Event({ event, story }: { event: StoryEvent; story: UserStory }) {
  const t = useT();
  switch (event.kind) {
    case "came":
      return <Happened at={event.at} what={t("user.event.came")} text={cameBy(story, t)} />;
    case "checked":
      return (
        <Happened
          at={event.at}
          what={t("user.event.checked")}
          text={story.reason ? t("user.event.failed", { check: t(`UserCheck.${story.reason as "fields"}`) }) : t("user.event.passed")}
        >
          <UserChecks checks={story.checks} />
        </Happened>
      );
    case "round": {
      const { planName, orgName, bidCents, status } = event.match;
      const buyer =
        planName && orgName ? t("user.event.taken", { plan: planName, org: orgName, price: money(bidCents) }) : t("user.event.notTaken");
      return (
        <Happened
          at={event.at}
          what={t("user.event.round", { number: event.number })}
          tag={<EnumTag labels="MatchStatus" value={status} colors={matchStatusColors} />}
          text={buyer}
        >
          <MatchBody match={event.match} />
        </Happened>
      );
    }
    case "asked": {
      const { orgName, planName, status, costMs } = event.match;
      return (
        <Happened
          at={event.at}
          what={t("user.event.asked", { org: orgName ?? EMPTY })}
          tag={<EnumTag labels="MatchStatus" value={status} colors={matchStatusColors} />}
          text={t("user.event.askedFor", { plan: planName ?? EMPTY, ms: costMs })}
        >
          <MatchBody match={event.match} />
        </Happened>
      );
    }
    case "sold": {
      const { no, orgName, planName, priceCents, status, upstreamNo, rejectReason, tries, lastError, verdicts } = event.push;
      return (
        <Happened
          at={event.at}
          what={t("user.event.sold", { org: orgName })}
          tag={<EnumTag labels="PushStatus" value={status} colors={pushStatusColors} />}
          text={t("user.event.soldFor", { plan: planName, price: money(priceCents) })}
        >
          <Details
            items={[
              [t("push.no"), no],
              ...(upstreamNo ? [[t("push.upstreamNo"), upstreamNo] as const] : []),
              ...(rejectReason ? [[t("push.rejectReason"), labelOf(t, "push.fault", rejectReason)] as const] : []),
            ]}
          />
          {verdicts.length > 0 && <Verdicts verdicts={verdicts} />}
          {/* Some organisations read leads here, and nothing is sent to them. */}
          {tries.length > 0 && <PushTries tries={tries} lastError={lastError} />}
        </Happened>
      );
    }
    case "paid": {
      const { kind, orgName, amountCents } = event.line;
      return (
        <Happened
          at={event.at}
          what={t(`user.money.${kind}`)}
          // Negated: a debit of the organisation's account is income here.
          text={t("user.event.paid", { org: orgName, amount: money(-amountCents) })}
        />
      );
    }
    case "returned": {
      const { orgName, status, reasonName, reasonCode } = event.row;
      return (
        <Happened
          at={event.at}
          what={t("user.event.returned", { org: orgName })}
          tag={<EnumTag labels="ReturnStatus" value={status} colors={returnStatusColors} />}
          text={reasonName ?? reasonCode}
        >
          <ReturnDetails row={event.row} />
        </Happened>
      );
    }
    case "said":
      return <Said feedback={event.feedback} />;
  }
}

/** Feedback about the applicant, and whether the channel was informed. */
function Said({ feedback }: { feedback: FeedbackRow }) {
  const t = useT();
  const { createdAt, source, star, endName, endCode, loanCents, content, reply, orgName, callbackStatus } = feedback;
  const parts = [endName ?? endCode, loanCents !== null && t("user.event.lent", { amount: money(loanCents) })];
  return (
    <Happened
      at={createdAt}
      what={t("user.event.said", { who: orgName ?? t(`FeedbackSource.${source}`) })}
      tag={star !== null && <EnumTag labels="user.star" value={String(star)} colors={starColors} />}
      text={parts.filter(Boolean).join(t("ui.comma"))}
    >
      <Details
        items={[
          ...(content ? [[t("feedback.content"), content] as const] : []),
          ...(reply ? [[t("feedback.reply"), reply] as const] : []),
          [t("feedback.callbackStatus"), t(`CallbackStatus.${callbackStatus}`)],
        ]}
      />
    </Happened>
  );
}

/** The origin of the applicant: the channel, and who entered them. */
function cameBy({ channelName, enteredBy, productName, test }: UserStory, t: Translate): string {
  const parts = [
    t("user.event.channel", { channel: channelName }),
    enteredBy && t("user.event.enteredBy", { name: enteredBy }),
    productName && t("user.event.product", { product: productName }),
    test && t("user.event.test"),
  ];
  return parts.filter(Boolean).join(t("ui.comma"));
}

interface HappenedProps {
  at: number;
  what: string;
  tag?: ReactNode;
  text: string;
  children?: ReactNode;
}

function Happened({ at, what, tag, text, children }: HappenedProps) {
  return (
    <li>
      <p>
        <strong>{what}</strong> {tag} {text}
        <time dateTime={new Date(at).toISOString()}>{time(at)}</time>
      </p>
      {children && <div className="ll-stack">{children}</div>}
    </li>
  );
}
