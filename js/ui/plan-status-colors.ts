/** The colours of the statuses of plans. */
import type { TagColors } from "./tag-colors";

export const planStatusColors: TagColors = {
  draft: "gray",
  pending: "blue",
  running: "green",
  paused: "orange",
  ended: "gray",
  rejected: "red",
};
