import type { words as zh } from "./words.zh";

/** Texts of the register of agreements. */
export const words = {
  "agreement.title": "Agreements",
  "agreement.none": "There is no valid agreement yet.",
  "agreement.empty": "The texts that applicants read and consent to. Each consent names one version.",
  "agreement.create": "New agreement",
  "agreement.edit": "Edit agreement",
  "agreement.keyword": "Keyword",
  "agreement.keywordHint": "Code, version or name",
  "agreement.text": "Full text",
  "agreement.noText": "The text was not kept: only its hash in the existing consents is known.",
  "agreement.codeHint": "1 to 32 letters, digits, dots, dashes or underscores",
  "agreement.editionHint": "For example 2026.1",
  "agreement.fixed": "Consents name this agreement: code, version, text and start cannot change. Add a new version instead",
  "agreement.validFromHint": "Empty: valid at once",
  "agreement.validToHint": "Empty: without an end",
  "agreement.textHint": "The hash is computed when it is saved. Blanks at the beginning and the end are removed",
  "agreement.textMissing": "Paste the full text that has the hash on record, or leave it empty",
  "agreement.view": "Details",
  "agreement.editAction": "Edit",
  "agreement.delete": "Delete",
  "agreement.deleteTitle": "Delete agreement {name}?",
  "agreement.deleteText": "No consent names it. It cannot be restored.",
  "agreement.created": "Agreement added",
  "agreement.saved": "Agreement saved",
  "agreement.deleted": "Agreement deleted",
} satisfies Record<keyof typeof zh, string>;
