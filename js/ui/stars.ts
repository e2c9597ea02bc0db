/** Stars of applicants, for lists of applicants and of what became of them. */
import type { TagColors } from "./tag-colors";

/** Stars of applicants, -1 for those without a rating. */
export const userStars = ["-1", "0", "1", "2", "3"] as const;

/** The colours of the stars. */
export const starColors = { 0: "gray", 1: "orange", 2: "blue", 3: "green" } as const satisfies TagColors;
