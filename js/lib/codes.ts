/** Codes and allowed steps of enumerations, written by `make types` from the `codes!` blocks of src/. */
import type { BlacklistKind, BlacklistScope, BlacklistSource, BlacklistStatus, PayMethod, ReceiptStatus, ReceiptType } from "./api-types";

export const blacklistKindCodes: readonly BlacklistKind[] = ["phone", "id_no", "ip", "device"];

export const blacklistScopeCodes: readonly BlacklistScope[] = ["global", "channel", "organisation"];

export const blacklistSourceCodes: readonly BlacklistSource[] = ["manual", "import", "complaint", "risk", "opt_out"];

export const blacklistStatusCodes: readonly BlacklistStatus[] = ["active", "lifted"];
export const blacklistStatusSteps: Readonly<Record<BlacklistStatus, readonly BlacklistStatus[]>> = {
  active: ["lifted"],
  lifted: ["active"],
};

export const payMethodCodes: readonly PayMethod[] = ["bank", "wechat", "alipay", "cash", "online"];

export const receiptStatusCodes: readonly ReceiptStatus[] = ["waiting", "confirmed", "rejected", "void"];
export const receiptStatusSteps: Readonly<Record<ReceiptStatus, readonly ReceiptStatus[]>> = {
  waiting: ["confirmed", "rejected"],
  confirmed: ["void"],
  rejected: [],
  void: [],
};

export const receiptTypeCodes: readonly ReceiptType[] = ["recharge", "settlement", "other"];
