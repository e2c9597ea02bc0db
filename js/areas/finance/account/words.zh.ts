/** Texts of the accounts of organisations. */
import type headings from "./headings.zh.json";

export const words = {
  "account.listTitle": "机构账户",
  "account.listEmpty": "每个机构的账户在这里：余额、冻结金额和可用金额。",
  "account.tab": "账户",
  "account.keyword": "关键词",
  "account.keywordHint": "机构编码或名称",
  "account.holds": "账户情况",
  "account.openEntries": "流水",
  "account.openAdjustments": "调账记录",
  "account.openStatements": "对账单",
  "account.lowBalance": "账户余额 {balance} 元，已低于预警线，请及时充值，以免计划暂停。",
  "account.rechargeOnline": "在线充值（付款链接）",
  "account.rechargeByTransfer": "转账后申请充值",
  "account.freeze": "冻结",
  "account.freezeTitle": "冻结“{org}”的账户",
  "account.freezeHint": "冻结期间不能扣费，该机构不能再买线索",
  "account.unfreeze": "解冻",
  "account.unfreezeTitle": "解冻“{org}”的账户",
  "account.unfreezeNote": "解冻原因",
  "account.unfreezeHint": "解冻后恢复扣费",
  "account.isFrozen": "账户已冻结",
  "account.isUnfrozen": "账户已解冻",

  "account.asOf": "历史余额",
  "account.asOfAt": "时点",
  "account.asOfPaid": "预付余额",
  "account.asOfGift": "赠送余额",
  "account.asOfCredit": "已用授信",
  "account.asOfHeld": "冻结中",
  "account.asOfBalance": "账户余额",
  "account.asOfEntries": "流水笔数",
  "account.asOfShow": "查询",
};

type Chinese = typeof words;
type Headings = typeof headings;

declare module "../../../lib/messages" {
  interface Texts extends Chinese, Headings {}
}
