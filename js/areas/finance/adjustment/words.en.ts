import type { words as zh } from "./words.zh";

/** Texts of adjustments. */
export const words = {
  "adjustment.title": "Adjustments",
  "adjustment.empty": "Adjustments are requested in the list of accounts. Someone else approves each one here, and it is posted.",
  "adjustment.tab": "Adjustments",
  "adjustment.keyword": "Keyword",
  "adjustment.keywordHint": "Adjustment number",
  "adjustment.choose": "Choose",
  "adjustment.ask": "Request adjustment",
  "adjustment.askTitle": "Adjust the account of {org}",
  "adjustment.askNote": "Someone else must approve it; it is then posted.",
  "adjustment.direction": "Direction",
  "adjustment.direction.increase": "Increase",
  "adjustment.direction.decrease": "Decrease",
  "adjustment.amountInput": "Amount",
  "adjustment.amountNeeded": "Enter an amount",
  "adjustment.proofsHint": "Images or PDF, at most 5",
  "adjustment.waitsFor": "Needs approval by someone other than {names}",
  "adjustment.approve": "Approve",
  "adjustment.approveTitle": "Approve adjustment {no}?",
  "adjustment.approveText": "{org}, {part}: {amount} CNY. Reason: {reason}",
  "adjustment.reject": "Reject",
  "adjustment.rejectTitle": "Reject adjustment {no}",
  "adjustment.withdraw": "Withdraw",
  "adjustment.withdrawTitle": "Withdraw adjustment {no}?",
  "adjustment.withdrawText": "This cannot be undone. You can request it again.",
  "adjustment.asked": "Adjustment requested; someone else must approve it",
  "adjustment.approved": "Adjustment approved and posted",
  "adjustment.rejected": "Adjustment rejected",
  "adjustment.withdrawn": "Adjustment withdrawn",

} satisfies Record<keyof typeof zh, string>;
