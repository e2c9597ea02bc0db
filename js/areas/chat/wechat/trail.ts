/** The titles of the fields of a WeChat account in the audit trail. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { wechatFields, wechatFilters, wechatTitles } from "./fields";

export const trail: AuditTrail = { module: "chatWechat", fields: wechatFields, titles: wechatTitles, filters: wechatFilters };
