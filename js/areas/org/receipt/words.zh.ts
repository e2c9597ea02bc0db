/** Texts of the receipts. */
import type headings from "./headings.zh.json";

export const words = {
  "receipt.title": "收款单",
  "receipt.empty": "机构的付款登记在这里：录入后由另一人确认，确认即入账。",
  "receipt.create": "新增收款单",
  "receipt.edit": "编辑收款单",
  "receipt.keyword": "关键词",
  "receipt.keywordHint": "单号、付款人或流水号",
  "receipt.choose": "请选择",
  "receipt.bizTypeHint": "充值和月结确认后计入机构账户",
  "receipt.amountInput": "金额",
  "receipt.amountNeeded": "请输入金额",
  "receipt.paidNeeded": "请选择付款时间",
  "receipt.serialNeeded": "银行转账需要流水号",
  "receipt.proofsHint": "图片或 PDF，最多 5 个",
  "receipt.awaits": "待处理",
  "receipt.awaits.decision": "待审核",
  "receipt.editAction": "编辑",
  "receipt.confirm": "确认到账",
  "receipt.confirmTitle": "确认收款单 {no}？",
  "receipt.confirmText": "{amount} 元将计入“{org}”的账户。",
  "receipt.confirmOther": "{amount} 元，不计入机构账户。",
  "receipt.reject": "驳回",
  "receipt.rejectTitle": "驳回收款单 {no}",
  "receipt.void": "作废",
  "receipt.voidTitle": "作废收款单 {no}？",
  "receipt.voidText": "{org} 已入账的 {amount} 元将冲回。申请原因：{note}",
  "receipt.keep": "驳回作废",
  "receipt.keepTitle": "驳回收款单 {no} 的作废申请",
  "receipt.askVoid": "申请作废",
  "receipt.askVoidTitle": "申请作废收款单 {no}",
  "receipt.askVoidHint": "由另一人审核，通过后冲回已入账的金额",
  "receipt.withdrawVoid": "撤回作废申请",
  "receipt.withdrawVoidTitle": "撤回收款单 {no} 的作废申请？",
  "receipt.withdrawVoidText": "收款单保持已确认。",
  "receipt.voidRequested": "已申请作废，等待另一人审核",
  "receipt.voidWithdrawn": "作废申请已撤回",
  "receipt.voidWaits": "申请作废：{note}（{names}提交，须他人审核）",
  "receipt.delete": "删除",
  "receipt.deleteTitle": "删除收款单 {no}？",
  "receipt.deleteText": "删除后不能恢复。",
  "receipt.created": "收款单已新增",
  "receipt.saved": "收款单已保存，等待确认",
  "receipt.confirmed": "收款单已确认",
  "receipt.rejected": "收款单已驳回",
  "receipt.voided": "收款单已作废",
  "receipt.kept": "作废申请已驳回，收款单不变",
  "receipt.rejectedFor": "驳回原因：{note}",
  "receipt.deleted": "收款单已删除",
};

type Chinese = typeof words;
type Headings = typeof headings;

declare module "../../../lib/messages" {
  interface Texts extends Chinese, Headings {}
}
