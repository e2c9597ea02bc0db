/** Whether the person of an account can log in, in a few sentences. */
import type { AdminRow } from "../../../lib/api-types";
import type { Translate } from "../../../lib/i18n";

export function stateOf({ status, mustChangePwd, lastLoginAt }: AdminRow, t: Translate): string {
  const state = t(`admin.state.${status === "enabled" && mustChangePwd ? "mustChange" : status}`, { status: t(`AdminStatus.${status}`) });
  return lastLoginAt === null ? `${state} ${t("admin.state.never")}` : state;
}
