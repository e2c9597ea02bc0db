import type { words as zh } from "./words.zh";

/** Texts of balances. */
export const words = {
  "balance.title": "Account balances",
  "balance.empty": "No account movements yet.",
  "balance.tab": "Balances",
  "balance.incomplete": "Earlier bookings are still being entered: these balances are incomplete and can be exported once all are entered.",
  "balance.at": "As of",
  "balance.accounts": "Accounts",
} satisfies Record<keyof typeof zh, string>;
