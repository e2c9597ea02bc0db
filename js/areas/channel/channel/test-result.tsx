/** The result of a test lead: whether it passed, and each check. */
import type { ChannelTest, TestOutcome, TestStep } from "../../../lib/api-types";
import { time } from "../../../lib/format";
import { useLocale, useT } from "../../../lib/i18n";
import { CheckList } from "../../../ui/check-list";
import { Icon } from "../../../ui/icon";
import { EnumTag, type TagColor } from "../../../ui/tag";

const outcomeColors = { pass: "green", fail: "red", skip: "gray" } satisfies Record<TestOutcome, TagColor>;

export function TestResult({ test }: { test: ChannelTest }) {
  const t = useT();
  const inChinese = useLocale() === "zh-CN";
  return (
    <>
      <p className={`ll-alert ll-alert-${test.passed ? "success" : "error"}`}>
        <Icon name={test.passed ? "check" : "warning"} />
        {t(test.passed ? "channel.testPassed" : "channel.testFailed")}
      </p>
      <p className="ll-quiet">
        {test.testedBy} {time(test.testedAt)}
      </p>
      {!test.current && <p className="ll-alert ll-alert-warning">{t("channel.testOutdated")}</p>}
      <CheckList
        items={test.checks.map(({ step, outcome, noteZh, noteEn }) => ({
          key: step,
          outcome: <EnumTag labels="channel.testOutcome" value={outcome} colors={outcomeColors} />,
          title: t(`channel.testStep.${step satisfies TestStep}`),
          note: inChinese ? noteZh : noteEn,
        }))}
      />
    </>
  );
}
