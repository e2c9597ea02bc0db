/** What became of an applicant, in one sentence: who bought the lead and for how much, or why no plan did. */
import { Fragment, type ReactNode } from "react";

import type { PushStory, UserStory } from "../../../lib/api-types";
import { money } from "../../../lib/format";
import { type Translate, useLocale, useT } from "../../../lib/i18n";
import { outcomeOf } from "../../../lib/user-story";
import { Icon } from "../../../ui/icon";
import { RecordLink } from "../../../ui/record-link";
import { PlanLink } from "../../plan/share";
import { reasonText } from "../passed";
import { useUnfinished } from "./story";

export function Outcome({ story }: { story: UserStory }) {
  const t = useT();
  useUnfinished(story);
  return (
    <>
      <p className="mb-4">
        <Sentence story={story} />
        {story.consentWithdrawnAt !== null && story.status !== "erased" && t("user.why.withdrawn")}
      </p>
      {story.blacklisted !== null && (
        <p className="ll-alert ll-alert-warning">
          <Icon name="warning" />
          <span>
            {story.blacklisted}
            {story.blacklistEntryId !== null && (
              <>
                {" "}
                <a className="ll-link underline" href={`/user/black-list/${story.blacklistEntryId}`}>
                  {t("user.blacklistEntry")}
                </a>
              </>
            )}
          </span>
        </p>
      )}
    </>
  );
}

function Sentence({ story }: { story: UserStory }): ReactNode {
  const t = useT();
  const inChinese = useLocale() === "zh-CN";
  const outcome = outcomeOf(story);
  const status = t(`UserStatus.${story.status}`);
  switch (outcome.kind) {
    case "sold":
      return (
        <>
          {t("user.why.sold", { status })}
          <Pushes pushes={outcome.pushes} t={t} />
        </>
      );
    case "passed": {
      const { wasBought, plans: count, pushes } = outcome;
      const reasons = outcome.reasons.map((passed) => reasonText(passed, t));
      const why = () => {
        if (wasBought) return t("user.why.status", { status });
        if (count === 0) return t("user.why.noPlan", { status });
        return t("user.why.passed", { status, count, reasons: reasons.join(t("ui.comma")) });
      };
      return (
        <>
          {why()}
          {pushes.length > 0 && (
            <>
              {t("user.why.offered")}
              <Pushes pushes={pushes} t={t} />
            </>
          )}
        </>
      );
    }
    case "stopped": {
      const { check, noteZh, noteEn } = outcome.check;
      const note = inChinese ? noteZh : noteEn;
      const name = t(`UserCheck.${check}`);
      return note === "" ? t("user.why.failed", { status, check: name }) : t("user.why.failedNote", { status, check: name, note });
    }
    case "status": {
      const { status: code, invalidReason } = story;
      if (code === "invalid" && invalidReason !== null) {
        return t("user.why.marked", { status, reason: t(`InvalidReason.${invalidReason}`) });
      }
      if (code === "registered") return t("user.why.registered", { status });
      return t("user.why.status", { status });
    }
  }
}

/** The buyers of leads: organisation, plan, price, and the status of a lead that is not accepted. */
function Pushes({ pushes, t }: { pushes: readonly PushStory[]; t: Translate }) {
  const last = pushes.length - 1;
  return pushes.map(({ id, orgId, orgName, planId, planName, priceCents, status }, i) => (
    <Fragment key={id}>
      {i > 0 && t("ui.comma")}
      <RecordLink href={`/org/list/${orgId}`} point="org/list/view" name={orgName} inText />
      {t("user.why.plan")}
      <PlanLink id={planId} name={planName} inText />
      {t("user.why.price", { price: money(priceCents) })}
      {status !== "accepted" && t("ui.comma") + t(`PushStatus.${status}`)}
      {t(i < last ? "user.why.close" : "user.why.end")}
    </Fragment>
  ));
}
