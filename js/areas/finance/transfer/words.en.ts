import type { words as zh } from "./words.zh";

/** Texts of transfers. */
export const words = {
  "transfer.title": "Transfers",
  "transfer.empty": "Every recharge, charge, refund and payment is listed here as a transfer between two accounts.",
  "transfer.tab": "Transfers",
  "transfer.account": "Account",
  "transfer.owner": "Owner number",
} satisfies Record<keyof typeof zh, string>;
