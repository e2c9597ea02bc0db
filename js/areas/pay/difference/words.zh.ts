/** Texts of differences between payments and statements. */
import type headings from "./headings.zh.json";

export const words = {
  "paymentDifference.title": "对账差异",
  "paymentDifference.tab": "差异",
  "paymentDifference.empty": "对账单与平台收款、退款不一致的记在这里，由人核实处理。",
  "paymentDifference.keyword": "关键词",
  "paymentDifference.keywordHint": "完整的流水号或订单号",
  "paymentDifference.paymentStatementId": "对账单",
  "paymentDifference.view": "详情",
  "paymentDifference.viewTitle": "对账差异 {number}",
  "paymentDifference.settle": "处理",
  "paymentDifference.settleTitle": "处理对账差异 {number}",
  "paymentDifference.settleHint": "写明查明的原因",
  "paymentDifference.settled": "对账差异已处理",
};

type Chinese = typeof words;
type Headings = typeof headings;

declare module "../../../lib/messages" {
  interface Texts extends Chinese, Headings {}
}
