/** The first activation of an organisation, which needs a compliance check that passed. A lazy chunk. */
import { useState } from "react";

import type { CheckRow, OrgCheck, OrgRow } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { useLocale, useT } from "../../../lib/i18n";
import { Button } from "../../../ui/button";
import { CheckList } from "../../../ui/check-list";
import { Dialog } from "../../../ui/dialog";
import type { Overlay } from "../../../ui/overlay";
import { resultColors } from "../../../ui/result-colors";
import { EnumTag, Tag } from "../../../ui/tag";

interface ActivateDialog {
  /** Closes with what is to be done. */
  overlay: Overlay<"activate" | "edit">;
  row: OrgRow;
  standing: OrgCheck;
  mayCheck: boolean;
  mayEdit: boolean;
}

/** The dialog lists what is needed, and runs the check. */
export function activateDialog(props: ActivateDialog) {
  return <Activation {...props} />;
}

function Activation({ overlay, row: { id, name, licenceNo, licenceExpireOn }, standing, mayCheck, mayEdit }: ActivateDialog) {
  const t = useT();
  const inChinese = useLocale() === "zh-CN";
  const [{ passed, check }, setStanding] = useState(standing);
  const [isBusy, setIsBusy] = useState(false);
  const run = async () => {
    setIsBusy(true);
    try {
      const made = await api.post<CheckRow>("/compliance/check", { targetType: "organisation", targetId: id });
      setStanding({ passed: made.result !== "fail", check: made });
    } catch {
      // The client shows why.
    } finally {
      setIsBusy(false);
    }
  };
  const given = (value: string | null) => <Tag color={value ? "green" : "red"}>{t(value ? "org.need.there" : "org.need.missing")}</Tag>;
  const isFailed = check?.result === "fail";
  const items = [
    { key: "no", outcome: given(licenceNo), title: t("org.licenceNo"), note: licenceNo ?? "" },
    { key: "expiry", outcome: given(licenceExpireOn), title: t("org.licenceExpireOn"), note: licenceExpireOn ?? "" },
    {
      key: "check",
      outcome: check ? (
        <EnumTag labels="CheckResult" value={check.result} colors={resultColors} />
      ) : (
        <Tag color="red">{t("org.need.check")}</Tag>
      ),
      title: t("org.comply"),
      note: isFailed
        ? check.items
            .filter(({ result }) => result === "fail")
            .map((item) => (inChinese ? `${item.titleZh}：${item.noteZh}` : `${item.titleEn}: ${item.noteEn}`))
            .join(inChinese ? "；" : "; ")
        : check && !passed
          ? t("org.need.expired")
          : "",
    },
  ];
  return (
    <Dialog overlay={overlay} title={t("org.activateTitle", { name })} shape="small">
      <div className="ll-dialog-body">
        <p>{t("org.activateText")}</p>
        <CheckList items={items} />
      </div>
      <footer className="ll-dialog-foot">
        <Button onClick={() => overlay.close()}>{t("ui.cancel")}</Button>
        {!passed && mayEdit && <Button onClick={() => overlay.close("edit")}>{t("org.need.edit")}</Button>}
        {!passed && mayCheck && (
          <Button look="primary" busy={isBusy} onClick={() => void run()}>
            {t("org.comply")}
          </Button>
        )}
        {(passed || !mayCheck) && (
          <Button look="primary" disabled={!passed} onClick={() => overlay.close("activate")}>
            {t("org.activate")}
          </Button>
        )}
      </footer>
    </Dialog>
  );
}
