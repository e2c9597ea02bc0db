import type { words as zh } from "./words.zh";

/** Texts of the pages that show how a submission ended. */
export const words = {
  "result.successTitle": "Submitted successfully",
  "result.successText": "The project “{name}” ({no}) has been submitted. Follow its progress here.",
  "result.launchedTitle": "The project is launched",
  "result.launchedText": "The project “{name}” ({no}) has passed all steps.",
  "result.otherTitle": "Project: {status}",
  "result.otherText": "The project “{name}” is now “{status}”.",
  "result.progress": "Progress",
  "result.print": "Print result",
  "result.toList": "Back to project list",
  "result.toProfile": "View the project",
  "result.errorTitle": "The project was returned",
  "result.errorText": "Please check the following, correct the project “{name}” and submit it again.",
  "result.details": "Your submission has these problems:",
  "result.note": "Note: {note}",
  "result.nothingWrong": "Nothing needs correcting",
  "result.nothingWrongText": "The project “{name}” is now “{status}”.",
  "result.goBack": "Go back",
  "result.correct": "Return for correction",
} satisfies Record<keyof typeof zh, string>;
