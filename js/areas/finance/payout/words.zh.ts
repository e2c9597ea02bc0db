/** Texts of payouts. */
import type headings from "./headings.zh.json";

export const words = {
  "payout.title": "渠道付款",
  "payout.empty": "付款在已确认的对账单上申请，由另一人审核后付款。",
  "payout.none": "这份对账单还没有付款",
  "payout.tab": "付款",
  "payout.ask": "申请付款",
  "payout.askTitle": "付款：{channel} {month}",
  "payout.askNote": "该对账单还可付 {left} 元，可以分次付款。由另一人审核。",
  "payout.amountInput": "付款金额",
  "payout.asked": "付款已申请，等待另一人审核",
  "payout.state.waiting": "{status}：由“{payee}”付给“{channel}”{amount} 元，代扣税款 {tax} 元。由{names}申请，须由另一人审核。",
  "payout.state.waitingMade": "{status}：“{payee}”此前已付给“{channel}”{amount} 元，代扣税款 {tax} 元。由{names}补录，须由另一人审核。",
  "payout.state.approved": "{status}：由“{payee}”付给“{channel}”{amount} 元，付款后在此登记。",
  "payout.state.paid": "{status}：“{payee}”于 {at} 付给“{channel}”{amount} 元，代扣税款 {tax} 元。",
  "payout.state.refused": "{status}，没有付款：{note}",
  "payout.state.withdrawn": "{status}：没有付款，可以重新申请。",
  "payout.state.failed": "{status}（{note}）：{amount} 元已回到对账单，可以重新申请付款。",
  "payout.state.returned": "{status}（{at}，{note}）：{amount} 元已回到对账单，可以重新申请付款。",
  "payout.approve": "通过",
  "payout.approveTitle": "付款审核：{no}",
  "payout.approveText": "由“{payee}”付给“{channel}”{amount} 元，代扣税款 {tax} 元。",
  "payout.approved": "付款已通过，待付款",
  "payout.refuse": "驳回",
  "payout.refuseTitle": "驳回付款 {no}",
  "payout.refused": "付款已驳回",
  "payout.withdraw": "撤回",
  "payout.withdrawTitle": "撤回付款 {no}？",
  "payout.withdrawText": "撤回后不能恢复，可以重新申请。",
  "payout.withdrawn": "付款已撤回",
  "payout.enterPaid": "登记付款",
  "payout.paidTitle": "登记付款 {no}",
  "payout.paidNote": "付给“{channel}”{amount} 元。",
  "payout.paidNeeded": "请填写付款时间",
  "payout.isPaid": "付款已登记",
  "payout.fail": "付款失败",
  "payout.failTitle": "付款 {no} 失败",
  "payout.failHint": "金额退回对账单，可以重新申请付款",
  "payout.hasFailed": "已登记付款失败",
  "payout.enterReturn": "登记退回",
  "payout.returnTitle": "登记付款 {no} 被银行退回",
  "payout.returnNote": "付给“{channel}”的 {amount} 元已退回：金额和代扣税款退回对账单，可以重新申请付款。",
  "payout.returnNeeded": "请填写退回时间",
  "payout.isReturned": "已登记退回",
  "payout.enterMade": "登记补录付款",
  "payout.madeTitle": "补录付款：{channel} {month}",
  "payout.madeNote": "登记上线渠道账务之前已付的款项，最多 {left} 元。由另一人审核后即为已付款。",
  "payout.day": "付款日期",
  "payout.numberOrRemark": "没有流水号时请在备注中说明如何付款",
  "payout.madeAsked": "补录付款已登记，等待另一人审核",
  "payout.approveMadeText": "由“{payee}”已付给“{channel}”{amount} 元，代扣税款 {tax} 元。通过后即为已付款。",
  "payout.madeApproved": "补录付款已通过",
};

type Chinese = typeof words;
type Headings = typeof headings;

declare module "../../../lib/messages" {
  interface Texts extends Chinese, Headings {}
}
