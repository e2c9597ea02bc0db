import type { proposal as zh } from "../zh-CN/proposal";

/** Texts of changes that await approval. */
export const proposal = {
  "proposal.title": "Change awaiting approval",
  "proposal.titleOf": "Change awaiting approval (submitted by {names})",
  "proposal.column": "Awaiting approval",
  "proposal.waitsFor": "Changed; to be reviewed by someone other than {names}",
  "proposal.review": "Review change",
  "proposal.reviewTitle": "Review the change of “{name}”",
  "proposal.reviewNote": "Submitted by {names} at {at}. Until it is approved, the current values apply.",
  "proposal.decide": "Confirm",
  "proposal.decision": "Decision",
  "proposal.choose": "Choose",
  "proposal.decision.approve": "Approve: it takes effect now",
  "proposal.decision.reject": "Reject",
  "proposal.note": "Review note",
  "proposal.noteHint": "Required to reject",
  "proposal.approved": "Approved: the change is in effect",
  "proposal.rejected": "Change rejected",
  "proposal.withdraw": "Withdraw change",
  "proposal.withdrawTitle": "Withdraw the change of “{name}”?",
  "proposal.withdrawText": "It is not reviewed any more, and the current values stay.",
  "proposal.withdrawn": "Change withdrawn",
} satisfies Record<keyof typeof zh, string>;
