/** The colours of the results of logins. */
import type { TagColors } from "../../../ui/tag-colors";

export const loginResultColors: TagColors = {
  ok: "green",
  wrong: "red",
  confirmed: "blue",
  unlocked: "gray",
  denied: "orange",
  outside: "red",
};
