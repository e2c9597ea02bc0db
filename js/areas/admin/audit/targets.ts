/** The pages of the records that the trail names. */
import type { AuditRow } from "../../../lib/api-types";

/** The list of each kind of record and the point that opens its pages. */
export const recordPages: Readonly<Record<string, readonly [list: string, point: string]>> = {
  account_adjustment: ["/finance/account/adjustments", "finance/account/list"],
  administrator: ["/admin/list", "admin/list/view"],
  agreement: ["/admin/agreement", "admin/agreement/list"],
  blacklist_entry: ["/user/black-list", "user/black-list/view"],
  channel: ["/channel/list", "channel/list/view"],
  chat_customer: ["/chat/client", "chat/client/list"],
  chat_group: ["/chat/group", "chat/group/list"],
  chat_reply: ["/chat/reply", "chat/reply/list"],
  chat_staff: ["/chat/manage", "chat/manage/list"],
  chat_wechat: ["/chat/wechat", "chat/wechat/list"],
  clue: ["/crm/clue", "crm/clue/view"],
  clue_pool: ["/crm/pool-setting", "crm/saleman/list"],
  compliance_check: ["/admin/test", "admin/test/view"],
  feedback: ["/user/feedback-list", "user/feedback-list/view"],
  invoice: ["/finance/invoice", "finance/invoice/list"],
  message: ["/admin/notice", "admin/notice/list"],
  money_record: ["/crm/money", "crm/clue/money"],
  org_account: ["/finance/account", "finance/account/list"],
  org_statement: ["/finance/statement", "finance/account/list"],
  organisation: ["/org/list", "org/list/view"],
  partner_payout: ["/finance/partner/payouts", "finance/partner/list"],
  partner_statement: ["/finance/partner", "finance/partner/list"],
  payee_channel: ["/payConfig/list", "payConfig/list/view"],
  payee_organisation: ["/org/payee", "org/payee/list"],
  payment_difference: ["/payConfig/order-list/differences", "payConfig/order-list/list"],
  payment_exception: ["/payConfig/order-list/exceptions", "payConfig/order-list/list"],
  payment_link: ["/payConfig/pool-list", "payConfig/pool-list/list"],
  payment_order: ["/payConfig/order-list", "payConfig/order-list/list"],
  payment_refund: ["/payConfig/order-list/refunds", "payConfig/order-list/list"],
  payment_statement: ["/payConfig/order-list/statements", "payConfig/order-list/list"],
  plan: ["/plan/list", "plan/list/view"],
  product: ["/product/list", "product/list/view"],
  push_record: ["/plan/push-list", "plan/push-list/view"],
  receipt: ["/org/receipt", "org/receipt/list"],
  recharge: ["/finance/recharge", "finance/recharge/list"],
  role: ["/admin/role-list", "admin/role-list/view"],
  salesperson: ["/crm/saleman", "crm/saleman/list"],
  sms_message: ["/admin/sms", "admin/sms/view"],
  sub_organisation: ["/crm/team", "crm/saleman/list"],
  user: ["/user/list", "user/list/view"],
};

/** The page of the record of an entry, and the point that opens it; none if that kind of record has no page. */
export function pageOf({ targetType, targetId }: AuditRow): { href: string; point: string } | undefined {
  const page = recordPages[targetType];
  return page && targetId !== null ? { href: `${page[0]}/${targetId}`, point: page[1] } : undefined;
}
