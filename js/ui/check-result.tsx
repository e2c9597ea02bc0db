/** The result of a compliance check, rule by rule. A lazy chunk. */
import type { CheckRow } from "../lib/api-types";
import { time } from "../lib/format";
import { useT } from "../lib/i18n";
import { CheckItems } from "./check-items";
import { Dialog } from "./dialog";
import type { Overlay } from "./overlay";
import { RecordLink } from "./record-link";
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
  const { id, no, targetType, targetName, result, validUntil, checkedBy, checkedAt, items } = check;
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
            <dd>
              <RecordLink href={`/admin/test/${id}`} point="admin/test/view" name={no} />
            </dd>
          </div>
          <div>
            <dt>{t("compliance.targetType")}</dt>
            <dd>{t(`TargetType.${targetType}`)}</dd>
          </div>
          <div>
            <dt>{t("compliance.checkedBy")}</dt>
            <dd>{`${checkedBy ?? "-"} ${time(checkedAt)}`}</dd>
          </div>
          {result !== "fail" && (
            <div>
              <dt>{t("compliance.validUntil")}</dt>
              <dd>{time(validUntil)}</dd>
            </div>
          )}
        </dl>
        <h3 className="ll-details-title">{t("compliance.items")}</h3>
        <CheckItems items={items} />
        {history && (
          <a className="ll-link" href={history}>
            {t("compliance.history")}
          </a>
        )}
      </div>
    </Dialog>
  );
}
