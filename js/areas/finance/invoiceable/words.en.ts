import type { words as zh } from "./words.zh";

/** Texts of what can be invoiced. */
export const words = {
  "invoiceable.title": "Invoiceable amounts",
  "invoiceable.empty": "Spend per issuer and what can still be invoiced.",
  "invoiceable.tab": "Invoiceable",
  "invoiceable.state": "State",
} satisfies Record<keyof typeof zh, string>;
