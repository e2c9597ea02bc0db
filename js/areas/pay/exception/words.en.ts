import type { words as zh } from "./words.zh";

/** Texts of payment exceptions. */
export const words = {
  "paymentException.title": "Payment exceptions",
  "paymentException.tab": "Exceptions",
  "paymentException.empty":
    "Payments that do not fit their order are listed here. A person checks and settles each; another confirms that one is accepted.",
  "paymentException.awaits": "Awaiting",
  "paymentException.awaits.decision": "Confirmation",
  "paymentException.waitsFor": "Acceptance requested. Waiting for a second person (not {names})",
  "paymentException.acceptance": "Requested acceptance",
  "paymentException.keyword": "Keyword",
  "paymentException.keywordHint": "Whole order or payment number",
  "paymentException.state.fits":
    "{status}: {kind}. Check that the money arrived; then ask to credit it to the order, or settle it outside the system.",
  "paymentException.state.open": "{status}: {kind}. It cannot be accepted for an order. Check it and settle it outside.",
  "paymentException.state.asked": "{status}. {names} requested acceptance for order {order}; someone else must confirm it. Note: {note}",
  "paymentException.state.accepted": "{status}. Accepted for order {order}. Note: {note}",
  "paymentException.state.handled": "{status}. Handled outside this system; the order stays as it is. Note: {note}",
  "paymentException.accept": "Request acceptance",
  "paymentException.acceptTitle": "Accept {amount} CNY for order {order}",
  "paymentException.acceptHint": "Another person confirms it; the order then counts as paid with the amount that came in",
  "paymentException.accepted": "Acceptance requested. Waiting for a second person.",
  "paymentException.confirm": "Confirm acceptance",
  "paymentException.confirmTitle": "Accept the payment for order {order}?",
  "paymentException.confirmText":
    "{names} asked to accept {amount} CNY: {note}. Check that the payment has arrived; the order then counts as paid with the amount that came in.",
  "paymentException.confirmed": "Payment accepted",
  "paymentException.reject": "Reject acceptance",
  "paymentException.rejectTitle": "Reject the acceptance for order {order}",
  "paymentException.rejectReason": "Reason",
  "paymentException.rejected": "Acceptance rejected",
  "paymentException.withdraw": "Withdraw request",
  "paymentException.withdrawTitle": "Withdraw the requested acceptance for order {order}?",
  "paymentException.withdrawText": "It can be requested again, or the payment handled outside.",
  "paymentException.withdrawn": "Request withdrawn",
  "paymentException.handle": "Handled offline",
  "paymentException.handleTitle": "Payment {no} was handled outside",
  "paymentException.handleHint": "The money was dealt with outside this system, for example paid back; the order stays as it is",
  "paymentException.handled": "Payment exception settled",
} satisfies Record<keyof typeof zh, string>;
