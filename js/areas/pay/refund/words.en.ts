import type { words as zh } from "./words.zh";

/** Texts of refunds of payments. */
export const words = {
  "paymentRefund.title": "Refunds",
  "paymentRefund.tab": "Refunds",
  "paymentRefund.empty": "Request refunds in the list of orders. A second person approves each one here, and the payer is paid back.",
  "paymentRefund.keyword": "Keyword",
  "paymentRefund.keywordHint": "Whole refund or order number",
  "paymentRefund.late": "Late",
  "paymentRefund.late.yes": "On its way for more than a day",
  "paymentRefund.left": "Left after all refunds (CNY)",
  "paymentRefund.state.pending": "{status}. {amount} CNY, requested by {names}; someone else must approve it.",
  "paymentRefund.state.processing": "{status}. Approved {at}; {provider} is to pay back {amount} CNY, and is queried for the result.",
  "paymentRefund.state.success": "{status}. {amount} CNY were paid back to the payer on {at}.",
  "paymentRefund.state.failed": "{status}. {amount} CNY were not paid back to the payer. Reason: {why}",
  "paymentRefund.state.rejected": "{status}. Nothing was paid back: {note}",
  "paymentRefund.state.withdrawn": "{status}. Nothing was paid back. It can be requested again.",
  "paymentRefund.requested": "Refund requested. Waiting for approval.",
  "paymentRefund.approve": "Approve",
  "paymentRefund.approveTitle": "Approve refund {no}",
  "paymentRefund.approveText":
    "{provider} is asked to pay {amount} CNY back to the payer ({org}, order {order}). A refund of a recharge leaves the organisation's account as well.",
  "paymentRefund.approveByHandText":
    "This channel makes no refunds: pay {amount} CNY back to the payer first ({org}, order {order}), then approve. A refund of a recharge leaves the organisation's account as well.",
  "paymentRefund.serialNeeded": "A bank transfer requires a transaction number",
  "paymentRefund.serialHint": "Transaction number of the bank transfer that returned the money",
  "paymentRefund.approved": "Refund approved; the provider is asked to make it",
  "paymentRefund.made": "Refund approved and recorded as paid",
  "paymentRefund.reject": "Reject",
  "paymentRefund.rejectTitle": "Reject refund {no}",
  "paymentRefund.rejected": "Refund rejected",
  "paymentRefund.withdraw": "Withdraw",
  "paymentRefund.withdrawTitle": "Withdraw refund {no}?",
  "paymentRefund.withdrawText": "This cannot be undone. You can request it again.",
  "paymentRefund.withdrawn": "Refund withdrawn",
} satisfies Record<keyof typeof zh, string>;
