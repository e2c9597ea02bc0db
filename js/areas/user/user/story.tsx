/** What happened to an applicant, in the order of time. */
import { type ReactNode, useEffect } from "react";

import type { FeedbackRow, MatchDetail, UserStory } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { EMPTY, money, time } from "../../../lib/format";
import { useT } from "../../../lib/i18n";
import { useReload } from "../../../lib/props";
import { eventsOf, goesOn, type StoryEvent } from "../../../lib/user-story";
import { Details } from "../../../ui/details";
import { labelOf } from "../../../ui/field";
import { RecordLink } from "../../../ui/record-link";
import { EnumTag } from "../../../ui/tag";
import { starColors } from "../../../ui/stars";
import { PlanLink, pushStatusColors, PushTries, ReturnDetails, returnStatusColors, Verdicts } from "../../plan/share";
import { MatchBody } from "../match/body";
import { matchStatusColors } from "../match/fields";
import { UserChecks } from "./checks";

/** How often an unfinished story is fetched again. */
const EVERY_MS = 2000;

/** Loads the page again when an unfinished story has changed. */
export function useUnfinished(story: UserStory): void {
  const reload = useReload();
  useEffect(() => {
    if (!goesOn(story)) return undefined;
    const leaving = new AbortController();
    const shown = JSON.stringify(story);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const rest = () => {
      timer = setTimeout(() => {
        // On a failure, the shown state is only a moment old.
        api
          .get<UserStory>(`/user/${story.id}`, undefined, { quiet: true, signal: leaving.signal })
          .then((now) => (JSON.stringify(now) === shown ? rest() : void reload()), rest);
      }, EVERY_MS);
    };
    rest();
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [story, reload]);
}

export function Story({ story }: { story: UserStory }) {
  return (
    <ol className="ll-timeline">
      {eventsOf(story).map((event, index) => (
        <Event key={index} event={event} story={story} />
      ))}
    </ol>
  );
}

function Event({ event, story }: { event: StoryEvent; story: UserStory }) {
  const t = useT();
  switch (event.kind) {
    case "came":
      return <Happened at={event.at} what={t("user.event.came")} text={<CameBy story={story} />} />;
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
          what={<MatchLink id={event.match.id} name={t("user.event.round", { number: event.number })} />}
          tag={<EnumTag labels="MatchStatus" value={status} colors={matchStatusColors} />}
          text={buyer}
        >
          <Matched match={event.match} />
        </Happened>
      );
    }
    case "asked": {
      const { orgName, planName, status, costMs } = event.match;
      return (
        <Happened
          at={event.at}
          what={<MatchLink id={event.match.id} name={t("user.event.asked", { org: orgName ?? EMPTY })} />}
          tag={<EnumTag labels="MatchStatus" value={status} colors={matchStatusColors} />}
          text={t("user.event.askedFor", { plan: planName ?? EMPTY, ms: costMs })}
        >
          <Matched match={event.match} />
        </Happened>
      );
    }
    case "sold": {
      const { id, no, orgId, orgName, planId, planName, priceCents, status, upstreamNo, rejectReason, tries, lastError, verdicts } =
        event.push;
      return (
        <Happened
          at={event.at}
          what={t("user.event.sold", { org: orgName })}
          tag={<EnumTag labels="PushStatus" value={status} colors={pushStatusColors} />}
          text={t("user.event.soldFor", { plan: planName, price: money(priceCents) })}
        >
          <Details
            items={[
              [t("push.no"), <RecordLink key="push" href={`/plan/push-list/${id}`} point="plan/push-list/view" name={no} />],
              [t("push.org"), <RecordLink key="org" href={`/org/list/${orgId}`} point="org/list/view" name={orgName} />],
              [t("push.plan"), <PlanLink key="plan" id={planId} name={planName} />],
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

/** The title of a round or question, as a link to its page. */
function MatchLink({ id, name }: { id: number; name: string }) {
  return <RecordLink href={`/user/match-list/${id}`} point="user/match-list/list" name={name} />;
}

/** The plan of a round or question, and what was asked and answered. */
function Matched({ match }: { match: MatchDetail }) {
  const t = useT();
  const { planId, planName } = match;
  return (
    <>
      {planName !== null && <Details items={[[t("match.plan"), <PlanLink key="plan" id={planId} name={planName} />]]} />}
      <MatchBody match={match} />
    </>
  );
}

/** Feedback about the applicant, and whether the channel was informed. */
function Said({ feedback }: { feedback: FeedbackRow }) {
  const t = useT();
  const { id, createdAt, source, star, endName, endCode, loanCents, content, reply, orgName, callbackStatus } = feedback;
  const what = t("user.event.said", { who: orgName ?? t(`FeedbackSource.${source}`) });
  const parts = [endName ?? endCode, loanCents !== null && t("user.event.lent", { amount: money(loanCents) })];
  return (
    <Happened
      at={createdAt}
      what={<RecordLink href={`/user/feedback-list/${id}`} point="user/feedback-list/view" name={what} />}
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

/** The channel of an applicant. */
export function ChannelLink({ story: { channelId, channelName }, inText }: { story: UserStory; inText?: boolean | undefined }) {
  return <RecordLink href={`/channel/list/${channelId}`} point="channel/list/view" name={channelName} inText={inText} />;
}

/** The product of an applicant that has one. */
export function ProductLink({ story: { productId, productName }, inText }: { story: UserStory; inText?: boolean | undefined }) {
  return <RecordLink href={`/product/list/${productId}`} point="product/list/view" name={productName ?? EMPTY} inText={inText} />;
}

/** The origin of the applicant: the channel, and who entered them. */
function CameBy({ story }: { story: UserStory }) {
  const t = useT();
  const { enteredBy, productName, test } = story;
  return (
    <>
      {t("user.event.channel")}
      <ChannelLink story={story} inText />
      {enteredBy && t("ui.comma") + t("user.event.enteredBy", { name: enteredBy })}
      {productName !== null && (
        <>
          {t("ui.comma") + t("user.event.product")}
          <ProductLink story={story} inText />
        </>
      )}
      {test && t("ui.comma") + t("user.event.test")}
    </>
  );
}

interface HappenedProps {
  at: number;
  what: ReactNode;
  tag?: ReactNode;
  text: ReactNode;
  children?: ReactNode;
}

function Happened({ at, what, tag, text, children }: HappenedProps) {
  return (
    <li>
      <p>
        <strong>{what}</strong> {tag} {text}
        <time dateTime={new Date(at).toISOString()}>{time(at)}</time>
      </p>
      {children && <div className="ll-stack mt-2">{children}</div>}
    </li>
  );
}
