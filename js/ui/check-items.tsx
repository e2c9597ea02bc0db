/** The results of the rules of a compliance check. */
import type { CheckItem } from "../lib/api-types";
import { useLocale } from "../lib/i18n";
import { CheckList } from "./check-list";
import { resultColors } from "./result-colors";
import { EnumTag } from "./tag";

export function CheckItems({ items }: { items: readonly CheckItem[] }) {
  const inChinese = useLocale() === "zh-CN";
  return (
    <CheckList
      items={items.map((item) => ({
        key: item.code,
        outcome: <EnumTag labels="CheckResult" value={item.result} colors={resultColors} />,
        title: inChinese ? item.titleZh : item.titleEn,
        note: inChinese ? item.noteZh : item.noteEn,
      }))}
    />
  );
}
