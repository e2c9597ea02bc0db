/** Whether orders can be made for a payee channel, and what it needs to be enabled, in a few sentences. */
import type { PayeeChannelRow } from "../../../lib/api-types";
import type { Translate } from "../../../lib/i18n";
import { isOnline, providerParams } from "./fields";

/** `viewer` is the account that reads it: it may not enable a channel whose parameters it set. */
export function stateOf(row: PayeeChannelRow, viewer: number | undefined, t: Translate): string {
  const status = t(`PayeeChannelStatus.${row.status}`);
  if (row.status === "enabled" && !row.payeeEnabled) return t("payeeChannel.state.payeeDisabled", { status });
  if (row.status === "enabled") return t(isOnline(row.provider) ? "payeeChannel.state.online" : "payeeChannel.state.byHand", { status });
  const missing = providerParams[row.provider].filter((name) => !row.paramNames.includes(name));
  if (missing.length > 0) {
    return t("payeeChannel.state.needs", { status, names: missing.map((name) => t(`payeeChannel.param.${name}`)).join(t("ui.comma")) });
  }
  const isOwn = viewer !== undefined && row.keysBy.includes(viewer);
  return t(isOwn ? "payeeChannel.state.own" : "payeeChannel.state.ready", { status });
}
