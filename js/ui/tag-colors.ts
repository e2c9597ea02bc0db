/** The colours of tags. */

/** Colours with a meaning; the text always has the meaning too. */
export type TagColor = "gray" | "blue" | "green" | "orange" | "red" | "purple" | "cyan";

/** The colour of each code of an enumeration; a code that is not named is gray. */
export type TagColors = Readonly<Record<string, TagColor>>;
