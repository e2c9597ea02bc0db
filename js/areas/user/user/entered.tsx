/** The result of an entry by hand. A lazy chunk. */
import type { UserEntered, UserStatus } from "../../../lib/api-types";
import { useT } from "../../../lib/i18n";
import { Button } from "../../../ui/button";
import { Dialog } from "../../../ui/dialog";
import { Icon, type IconName } from "../../../ui/icon";
import type { Overlay } from "../../../ui/overlay";
import { EnumTag } from "../../../ui/tag";
import { UserChecks } from "./checks";
import { userStatusColors } from "./fields";

/** The look of the result of each status. */
const news: Readonly<Record<UserStatus, "success" | "warning" | "error">> = {
  registered: "warning",
  completed: "success",
  matching: "success",
  distributed: "success",
  unmatched: "warning",
  duplicate: "warning",
  blocked: "error",
  invalid: "error",
  erased: "error",
};
const icons = { success: "check", warning: "info", error: "warning" } satisfies Record<string, IconName>;

interface EnteredDialog {
  /** Closes with true to open the applicant's story. */
  overlay: Overlay<boolean>;
  entered: UserEntered;
  mayView: boolean;
}

/** The dialog with the result of an entry. */
export function enteredDialog(props: EnteredDialog) {
  return <Entered {...props} />;
}

function Entered({ overlay, entered: { no, status, failed, checks }, mayView }: EnteredDialog) {
  const t = useT();
  const tone = news[status];
  return (
    <Dialog overlay={overlay} title={t("user.enteredTitle", { no })} shape="small">
      <div className="ll-dialog-body">
        <p className={`ll-alert ll-alert-${tone}`}>
          <Icon name={icons[tone]} />
          {failed
            ? t("user.enteredFailed", { check: t(`UserCheck.${failed}`) })
            : t(status === "registered" ? "user.enteredTest" : "user.enteredWell")}
        </p>
        <p>
          {t("user.status")} <EnumTag labels="UserStatus" value={status} colors={userStatusColors} />
        </p>
        <UserChecks checks={checks} />
      </div>
      <footer className="ll-dialog-foot">
        <Button onClick={() => overlay.close(false)}>{t("ui.close")}</Button>
        {mayView && (
          <Button look="primary" onClick={() => overlay.close(true)}>
            {t("user.toStory")}
          </Button>
        )}
      </footer>
    </Dialog>
  );
}
