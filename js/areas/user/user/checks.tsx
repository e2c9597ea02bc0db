/** The checks of an applicant and their results. */
import type { CheckOutcome, UserCheckResult } from "../../../lib/api-types";
import { useLocale, useT } from "../../../lib/i18n";
import type { MessageKey } from "../../../lib/messages";
import { CheckList } from "../../../ui/check-list";
import { EnumTag, type TagColor } from "../../../ui/tag";

const outcomeColors = { pass: "green", fail: "red", skip: "gray" } satisfies Record<CheckOutcome, TagColor>;

/** What a passed check says, where its name alone would read as a finding. */
const cleared: Readonly<Partial<Record<string, MessageKey>>> = {
  repeated: "user.cleared.repeated",
  blacklist: "user.cleared.blacklist",
};

export function UserChecks({ checks }: { checks: readonly UserCheckResult[] }) {
  const t = useT();
  const inChinese = useLocale() === "zh-CN";
  return (
    <CheckList
      items={checks.map(({ check, outcome, noteZh, noteEn }) => ({
        key: check,
        outcome: <EnumTag labels="user.outcome" value={outcome} colors={outcomeColors} />,
        title: t((outcome === "pass" && cleared[check]) || `UserCheck.${check}`),
        note: inChinese ? noteZh : noteEn,
      }))}
    />
  );
}
