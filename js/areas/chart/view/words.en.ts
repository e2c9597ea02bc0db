import type { words as zh } from "./words.zh";

/** Texts of saved views of statistics. */
export const words = {
  "view.title": "Views",
  "view.standard": "Standard",
  "view.isDefault": " (default)",
  "view.save": "Save as view",
  "view.edit": "Edit view",
  "view.delete": "Delete view",
  "view.deleteTitle": "Delete the view “{name}”?",
  "view.deleteText": "The statistics are not affected.",
  "view.name": "Name",
  "view.default": "Open the page with it",
  "view.replace": "Replace with the current filters, order and columns",
  "view.sendRole": "Send each day to a role",
  "view.notSent": "Do not send",
  "view.sendHint": "Each person of the role gets a file with what they may see",
  "view.sendFails": "Its file could not be made ({count} times in a row) and is tried again",
  "view.sendStopped": "Its file could not be made ({count} times in a row) and is not sent any more: check the filters and save it again",
  "view.sendTime": "Time",
  "view.note": "A view keeps the current filters, order and columns. Only you see it here. The usual ranges of days move with the date.",
  "view.range": "Days",
  "view.fixed": "Keep these exact dates",
  "view.sendMinute": "Send time",
} satisfies Record<keyof typeof zh, string>;
