/** The colours of tags. */

/** The meaning a colour carries: never the only carrier, the text always says it too. */
export type TagColor = "gray" | "blue" | "green" | "orange" | "red" | "purple" | "cyan";

/** The colour of each code of an enumeration; a code that is not named is gray. */
export type TagColors = Readonly<Record<string, TagColor>>;
