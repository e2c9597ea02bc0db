/** What became of a push, in a few sentences. */
import type { PushStory } from "../../../lib/api-types";
import { money, time } from "../../../lib/format";
import type { Translate } from "../../../lib/i18n";
import { labelOf } from "../../../ui/field";

/** The sentences; `mayResolve`: the viewer settles pushes in doubt, and reads what to do with one. */
export function outcomeOf(push: PushStory, t: Translate, mayResolve: boolean): string {
  const { attempts, authStatus, authUntil, lastError, nextRetryAt, orgName: org, priceCents, rejectReason, soldAt } = push;
  const status = t(`PushStatus.${push.status}`);
  const price = money(priceCents);
  const fault = (code: string | null) => (code === null || code === "" ? t("push.why.unknown") : labelOf(t, "push.fault", code));
  const waits = authStatus === "waiting" ? [t("push.why.authorise", { org, at: time(authUntil) })] : [];
  const sentences = (): string[] => {
    switch (push.status) {
      case "queued":
        return [t("push.why.queued", { status, org }), ...waits];
      case "sending":
        return [t("push.why.sending", { status, org })];
      case "retrying":
        return [
          t("push.why.retrying", { status, count: attempts, reason: fault(lastError) }),
          ...(nextRetryAt === null ? [] : [t("push.why.next", { at: time(nextRetryAt) })]),
          ...waits,
        ];
      case "accepted":
        return [
          t("push.why.accepted", { status, org, at: time(soldAt), price }),
          attempts > 0 ? t("push.why.attempts", { count: attempts }) : t("push.why.byPage"),
        ];
      case "unconfirmed":
        return [
          t("push.why.unconfirmed", { status, org, count: attempts, price, reason: fault(lastError) }),
          ...(nextRetryAt === null ? [] : [t("push.why.next", { at: time(nextRetryAt) })]),
          ...(mayResolve ? [t("push.why.resolve")] : []),
        ];
      case "returned":
        return [t("push.why.returned", { status, org, at: time(soldAt), price })];
      case "duplicate":
        return [t("push.why.duplicate", { status, org })];
      case "rejected":
        return [t("push.why.rejected", { status, org, reason: fault(rejectReason) })];
      case "failed":
      case "cancelled":
        return [t("push.why.ended", { status, reason: fault(rejectReason) })];
    }
  };
  return sentences().join(" ");
}
