/** Texts of the daily reports of payments. */
import type headings from "./headings.zh.json";

export const words = {
  "paymentReport.title": "核实失败的渠道通知",
  "paymentReport.tab": "渠道通知",
  "paymentReport.empty": "多次核实仍失败的渠道通知会列在这里，查明原因后可重试，或说明原因后结束处理。",
  "paymentReport.keyword": "关键词",
  "paymentReport.keywordHint": "完整的订单号或通知编号",
  "paymentReport.retry": "重试",
  "paymentReport.retrying": "正在重新核实",
  "paymentReport.retried": "重新核实",
  "paymentReport.settle": "结束处理",
  "paymentReport.settleTitle": "结束处理渠道通知：订单 {no}",
  "paymentReport.settleNote": "处理说明",
  "paymentReport.settleHint": "不再核实该通知，订单不变。若款项确已到账，请在订单中登记付款。",
  "paymentReport.settled": "渠道通知已结束处理",
  "paymentReport.settledNo": "已结束的通知",
};

type Chinese = typeof words;
type Headings = typeof headings;

declare module "../../../lib/messages" {
  interface Texts extends Chinese, Headings {}
}
