/** Texts of adjustments. */
import type headings from "./headings.zh.json";

export const words = {
  "adjustment.title": "调账记录",
  "adjustment.empty": "在“账户”中申请调账，由另一人在这里审核，通过后入账。",
  "adjustment.tab": "调账",
  "adjustment.keyword": "关键词",
  "adjustment.keywordHint": "调账单号开头",
  "adjustment.choose": "请选择",
  "adjustment.ask": "申请调账",
  "adjustment.askTitle": "调整“{org}”的账户",
  "adjustment.askNote": "由另一人审核，通过后入账。",
  "adjustment.direction": "方向",
  "adjustment.direction.increase": "调增",
  "adjustment.direction.decrease": "调减",
  "adjustment.amountInput": "金额",
  "adjustment.amountNeeded": "请输入金额",
  "adjustment.proofsHint": "最多 5 个文件",
  "adjustment.state.pending": "{status}：“{org}”的{part}将调整 {amount} 元。由{names}申请，须由另一人审核。",
  "adjustment.state.approved": "{status}：“{org}”的{part}已调整 {amount} 元。",
  "adjustment.state.rejected": "{status}，没有入账：{note}",
  "adjustment.state.withdrawn": "{status}：没有入账，可以重新申请。",
  "adjustment.approve": "通过",
  "adjustment.approveTitle": "调账审核：{no}",
  "adjustment.approveText": "“{org}”的{part}将调整 {amount} 元。原因：{reason}",
  "adjustment.reject": "驳回",
  "adjustment.rejectTitle": "驳回调账 {no}",
  "adjustment.withdraw": "撤回",
  "adjustment.withdrawTitle": "撤回调账 {no}？",
  "adjustment.withdrawText": "撤回后不能恢复，可以重新申请。",
  "adjustment.asked": "调账已申请，等待另一人审核",
  "adjustment.approved": "调账已通过，已入账",
  "adjustment.rejected": "调账已驳回",
  "adjustment.withdrawn": "调账已撤回",
};

type Chinese = typeof words;
type Headings = typeof headings;

declare module "../../../lib/messages" {
  interface Texts extends Chinese, Headings {}
}
