/** The colours of the results of a compliance check. */
import type { TagColors } from "./tag-colors";

export const resultColors: TagColors = { pass: "green", warn: "orange", fail: "red", unchecked: "gray" };
