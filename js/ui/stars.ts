/** Stars of applicants, for their lists and those of what became of them. */
import type { TagColors } from "./tag-colors";

/** Stars of applicants, -1 for those without a rating. */
export const userStars = ["-1", "0", "1", "2", "3"] as const;

/** What is said of an applicant by stars. */
export const starColors = { 0: "gray", 1: "orange", 2: "blue", 3: "green" } as const satisfies TagColors;
