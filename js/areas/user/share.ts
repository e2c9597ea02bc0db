/** What other areas take from applicants and their feedback. */

/** The forms of feedback. */
export const loadFeedbackForm = () => import("./feedback/form");
