import type { leads as zh } from "../zh-CN/leads";

/** Texts about new leads. */
export const leads = {
  "leads.title": "System notice",
  "leads.text": "You have new leads, please handle them promptly!",
  "leads.open": "View new leads",
  "leads.close": "Close the notice about new leads",
  "leads.switch": "New-lead alerts",
} satisfies Record<keyof typeof zh, string>;
