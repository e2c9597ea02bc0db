/** Texts of statements of accounts. */
import type headings from "./headings.zh.json";

export const words = {
  "statement.title": "对账单",
  "statement.empty": "每月关账后生成各机构的对账单，发送后由机构确认。",
  "statement.tab": "对账单",
  "statement.monthHint": "如 2026-01",
  "statement.state.draft": "{status}：期末余额 {closing} 元。发送后由“{org}”确认。",
  "statement.state.sent": "{status}：期末余额 {closing} 元，{sent} 发送给“{org}”。",
  "statement.state.confirmed": "{status}：期末余额 {closing} 元，{name}于 {at} 确认。",
  "statement.state.disputed": "{status}：{name}于 {at} 提出异议：{note}。核对后可以重新发送。",
  "statement.close": "关账",
  "statement.closeTitle": "关闭 {month} 的账？",
  "statement.closeText": "关账后 {month} 不能再记流水，并为每个有流水的账户生成对账单。关账不能撤销。",
  "statement.closed": "已关账，对账单已生成",
  "statement.send": "发送",
  "statement.sendTitle": "发送“{org}”{month} 的对账单？",
  "statement.sendManyTitle": "发送 {count} 份对账单？",
  "statement.sendText": "机构收到通知后可以确认，或提出异议。",
  "statement.noneToSend": "所选对账单都已发送",
  "statement.sent": "对账单已发送",
  "statement.confirm": "确认无误",
  "statement.confirmTitle": "确认 {month} 对账单？",
  "statement.confirmText": "期末余额 {closing} 元。确认后不能再提出异议。",
  "statement.confirmed": "对账单已确认",
  "statement.dispute": "提出异议",
  "statement.disputeTitle": "对 {month} 对账单提出异议",
  "statement.disputeHint": "请写明哪些金额不符，平台核对后重新发送",
  "statement.submitDispute": "提交",
  "statement.disputed": "异议已提交",
  "statement.download": "下载 PDF",
};

type Chinese = typeof words;
type Headings = typeof headings;

declare module "../../../lib/messages" {
  interface Texts extends Chinese, Headings {}
}
