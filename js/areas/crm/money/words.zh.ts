/** Texts of the money of clues. */
import type headings from "./headings.zh.json";

export const words = {
  "money.title": "收款记录",
  "money.empty": "线索的放款、收费和退款在这里录入，由另一人确认后才计入业绩。",
  "money.create": "录入收款",
  "money.edit": "修改收款",
  "money.keyword": "关键词",
  "money.keywordHint": "完整的收款或线索编号",
  "money.awaits": "等待",
  "money.awaits.decision": "审核",
  "money.clueHint": "线索页面上的编号",
  "money.amountInput": "金额",
  "money.loanInput": "放款额",
  "money.loanHint": "仅在已放款时填写",
  "money.amountNeeded": "请输入金额",
  "money.paidNeeded": "请选择付款时间",
  "money.serialNeeded": "银行转账需要流水号",
  "money.proofsHint": "最多 5 个文件",
  "money.confirmedTotal": "已确认 {amount}",
  "money.state.pending": "{status}：线索 {clue} 的{type} {amount} 元。由{names}录入，须由另一人确认后才计入业绩。",
  "money.state.confirmed": "{status}：{type} {amount} 元已计入线索 {clue}。",
  "money.state.rejected": "{status}，不计入业绩：{note}",
  "money.state.void": "{status}，不再计入业绩：{note}",
  "money.editAction": "修改",
  "money.confirm": "确认",
  "money.confirmTitle": "确认 {no}？",
  "money.confirmText": "{type} {amount} 元将计入线索 {clue}。",
  "money.reject": "驳回",
  "money.rejectTitle": "驳回 {no}",
  "money.void": "作废",
  "money.voidTitle": "作废 {no}",
  "money.voidHint": "作废后不再计入，且不能恢复。",
  "money.delete": "删除",
  "money.deleteTitle": "删除 {no}？",
  "money.deleteText": "删除后不能恢复。",
  "money.created": "收款已录入，等待确认",
  "money.saved": "收款已保存，等待确认",
  "money.confirmed": "收款已确认",
  "money.rejected": "收款已驳回",
  "money.voided": "收款已作废",
  "money.deleted": "收款已删除",
  "money.rejectedFor": "驳回原因：{note}",
  "moneyDay.tab": "每日收款",
  "moneyDay.title": "每日收款",
  "moneyDay.empty": "已确认的收款按付款日期在此汇总。",
  "moneyDay.day": "日期",
  "moneyDay.feeCents": "收款（元）",
  "moneyDay.refundCents": "退款（元）",
  "moneyDay.netCents": "净收款（元）",
  "moneyDay.count": "已确认笔数",
};

type Chinese = typeof words;
type Headings = typeof headings;

declare module "../../../lib/messages" {
  interface Texts extends Chinese, Headings {}
}
