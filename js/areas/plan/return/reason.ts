/** Whether a reason for a return says too little without a note. */
export const needsNote = (reasonCode: unknown): boolean => reasonCode === "other";
