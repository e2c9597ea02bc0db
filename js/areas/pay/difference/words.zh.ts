/** Texts of differences between payments and statements. */
import type headings from "./headings.zh.json";

export const words = {
  "paymentDifference.title": "对账差异",
  "paymentDifference.tab": "差异",
  "paymentDifference.empty": "对账单与平台收款、退款不一致的记在这里，由人核实处理。",
  "paymentDifference.keyword": "关键词",
  "paymentDifference.keywordHint": "完整的流水号或订单号",
  "paymentDifference.paymentStatementId": "对账单",
  "paymentDifference.sides.ours_only": "{status}：平台有{direction} {platform} 元，通道账单没有。",
  "paymentDifference.sides.theirs_only": "{status}：通道账单有{direction} {provider} 元，平台没有。",
  "paymentDifference.sides.amount": "{status}：{direction}金额不符，平台 {platform} 元，通道账单 {provider} 元。",
  "paymentDifference.toSettle": "请核实原因后处理，全部处理后该日才能关账。",
  "paymentDifference.settledBy": "{name}于 {at} 处理：{note}",
  "paymentDifference.ofDay": "{channel} {day} 对账",
  "paymentDifference.settle": "处理",
  "paymentDifference.settleTitle": "处理对账差异 {number}：平台 {platform} 元，通道 {provider} 元",
  "paymentDifference.settleHint": "写明查明的原因。只记录说明，不改动账目",
  "paymentDifference.settled": "对账差异已处理",
};

type Chinese = typeof words;
type Headings = typeof headings;

declare module "../../../lib/messages" {
  interface Texts extends Chinese, Headings {}
}
