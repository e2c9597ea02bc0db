/** The result of a compliance check, rule by rule. A lazy chunk. */
import type { CheckRow } from "../lib/api-types";
import { time } from "../lib/format";
import { useLocale, useT } from "../lib/i18n";
import { CheckList } from "./check-list";
import { Dialog } from "./dialog";
import type { Overlay } from "./overlay";
import { EnumTag } from "./tag";
import { resultColors } from "./result-colors";

interface ResultProps {
  overlay: Overlay;
  check: CheckRow;
  /** The address of the list of the target's other checks. */
  history?: string;
}

/** The drawer of a check. */
export function showCheck(props: ResultProps) {
  return <CheckDrawer {...props} />;
}

function CheckDrawer({ overlay, check, history }: ResultProps) {
  const t = useT();
  const inChinese = useLocale() === "zh-CN";
  const { no, targetType, targetName, result, validUntil, checkedBy, checkedAt, items } = check;
  return (
    <Dialog overlay={overlay} title={t("compliance.resultOf", { name: targetName })} shape="drawer">
      <div className="ll-dialog-body">
        <dl className="ll-details">
          <div>
            <dt>{t("compliance.result")}</dt>
            <dd>
              <EnumTag labels="CheckResult" value={result} colors={resultColors} />
            </dd>
          </div>
          <div>
            <dt>{t("compliance.no")}</dt>
            <dd>{no}</dd>
          </div>
          <div>
            <dt>{t("compliance.targetType")}</dt>
            <dd>{t(`TargetType.${targetType}`)}</dd>
          </div>
          <div>
            <dt>{t("compliance.checkedBy")}</dt>
            <dd>{`${checkedBy ?? "-"} ${time(checkedAt)}`}</dd>
          </div>
          <div>
            <dt>{t("compliance.validUntil")}</dt>
            <dd>{time(validUntil)}</dd>
          </div>
        </dl>
        <h3 className="ll-details-title">{t("compliance.items")}</h3>
        <CheckList
          items={items.map((item) => ({
            key: item.code,
            outcome: <EnumTag labels="CheckResult" value={item.result} colors={resultColors} />,
            title: inChinese ? item.titleZh : item.titleEn,
            note: inChinese ? item.noteZh : item.noteEn,
          }))}
        />
        {history && (
          <a className="ll-link" href={history}>
            {t("compliance.history")}
          </a>
        )}
      </div>
    </Dialog>
  );
}
