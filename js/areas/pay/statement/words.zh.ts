/** Texts of payment statements. */
import type headings from "./headings.zh.json";

export const words = {
  "paymentStatement.title": "对账",
  "paymentStatement.tab": "对账",
  "paymentStatement.empty": "导入银行或支付渠道的对账单，与当天的收款和退款逐笔核对；差异全部处理后由两人关账。",
  "paymentStatement.awaits": "待处理",
  "paymentStatement.awaits.decision": "待确认关账",
  "paymentStatement.waitsFor": "待关账（{names}提交，须他人确认）",
  "paymentStatement.choose": "请选择",
  "paymentStatement.import": "导入对账单",
  "paymentStatement.importText": "同一收款通道和日期再次导入会取代之前的对账单，已处理的差异保留；关账后不能再导入。",
  "paymentStatement.dayToCome": "日期不能晚于今天",
  "paymentStatement.numberColumn": "流水号列",
  "paymentStatement.numberHint": "与文件中的列名一致，会保留供下次导入使用",
  "paymentStatement.amountColumn": "金额列",
  "paymentStatement.amountHint": "与文件中的列名一致；负数为退款",
  "paymentStatement.refundColumn": "退款列",
  "paymentStatement.refundHint": "退款金额单独成列时填写",
  "paymentStatement.file": "对账单文件",
  "paymentStatement.fileNeeded": "请选择文件",
  "paymentStatement.fileHint": "XLSX、CSV 或 TXT，最大 20 MB、{rows} 行；支付宝、微信支付下载的账单可直接导入，无需修改",
  "paymentStatement.imported": "对账单已导入：一致 {matched} 笔，待处理差异 {open} 条",
  "paymentStatement.state.open": "{status}：还有 {open} 条差异待处理，全部处理后才能申请关账。",
  "paymentStatement.state.ready": "{status}：没有待处理的差异，可以申请关账。",
  "paymentStatement.state.asked": "{status}：{names}已申请关账，须由另一人确认。",
  "paymentStatement.state.closed": "{status}：{name}于 {at} 关账。",
  "paymentStatement.viewTitle": "{channel} {day} 对账",
  "paymentStatement.askClose": "申请关账",
  "paymentStatement.askCloseTitle": "申请关账：{channel} {day}？",
  "paymentStatement.askCloseText":
    "平台 {ourCount} 笔共 {ourSum} 元，通道 {theirCount} 笔共 {theirSum} 元，一致 {matched} 笔。由另一人确认关账。",
  "paymentStatement.asked": "已申请关账，等待另一人确认",
  "paymentStatement.close": "关账",
  "paymentStatement.closeTitle": "关账：{channel} {day}？",
  "paymentStatement.closeText":
    "平台 {ourCount} 笔共 {ourSum} 元，通道 {theirCount} 笔共 {theirSum} 元，一致 {matched} 笔。关账后不能再导入该日的对账单；之后如有该日的收款或退款入账，该日会重新打开。",
  "paymentStatement.closed": "已关账",
  "paymentStatement.reject": "驳回",
  "paymentStatement.rejectTitle": "驳回关账申请：{channel} {day}",
  "paymentStatement.rejectReason": "驳回原因",
  "paymentStatement.rejected": "关账申请已驳回",
  "paymentStatement.withdraw": "撤回",
  "paymentStatement.withdrawTitle": "撤回关账申请：{channel} {day}？",
  "paymentStatement.withdrawText": "撤回后可以重新申请。",
  "paymentStatement.withdrawn": "关账申请已撤回",
};

type Chinese = typeof words;
type Headings = typeof headings;

declare module "../../../lib/messages" {
  interface Texts extends Chinese, Headings {}
}
