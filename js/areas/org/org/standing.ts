/** Whether an organisation takes leads, and why not, in a sentence. */
import type { AccountDetail, OrgCheck, OrgRow } from "../../../lib/api-types";
import type { Translate } from "../../../lib/i18n";

interface Known {
  /** The day in Shanghai. */
  today: string;
  /** What its first activation needs; null for viewers who may not activate it. */
  check: OrgCheck | null;
  /** Its account; null for viewers who see no balances. */
  account: AccountDetail | null;
}

export function standingOf(row: OrgRow, known: Known, t: Translate): string {
  const status = t(`OrgStatus.${row.status}`);
  switch (row.status) {
    case "pending": {
      if (known.check === null) return t("org.standing.first", { status });
      const needs = needsOf(row, known.check, t);
      return needs === "" ? t("org.standing.ready", { status }) : t("org.standing.pending", { status, needs });
    }
    case "paused":
    case "terminated":
      return t(`org.standing.${row.status}`, { status });
    case "active": {
      const reasons = reasonsOf(row, known, t);
      if (reasons !== "") return t("org.standing.stopped", { status, reasons });
      return t(row.mode === "test" ? "org.standing.test" : "org.standing.taking", { status });
    }
  }
}

/** What the first activation still needs; empty if nothing. */
function needsOf({ licenceNo, licenceExpireOn }: OrgRow, { passed, check }: OrgCheck, t: Translate): string {
  return [
    ...(licenceNo ? [] : [t("org.standing.needsNo")]),
    ...(licenceExpireOn ? [] : [t("org.standing.needsExpiry")]),
    ...(passed ? [] : [t(check?.result === "fail" ? "org.standing.failedCheck" : "org.standing.needsCheck")]),
  ].join(t("ui.comma"));
}

/** Why an active organisation takes no leads now; empty if it does. A test organisation pays nothing. */
function reasonsOf({ licenceNo, licenceExpireOn, mode }: OrgRow, { today, account }: Known, t: Translate): string {
  const isExpired = licenceExpireOn !== null && licenceExpireOn < today;
  const pays = mode === "live" && account !== null;
  return [
    ...(licenceNo && licenceExpireOn ? [] : [t("org.standing.noLicence")]),
    ...(isExpired ? [t("org.standing.expired", { day: licenceExpireOn })] : []),
    ...(pays && account.status === "frozen" ? [t("org.standing.frozen")] : []),
    ...(pays && account.status !== "frozen" && account.availableCents <= 0 ? [t("org.standing.noBalance")] : []),
  ].join(t("ui.comma"));
}
