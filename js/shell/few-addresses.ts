/** Which pages are few: parts that depend on the address are kept for these (lib/kept.tsx). */

import type { PageLocation } from "../lib/router";
import type { PageHead } from "../lib/types";

/** A page of the table of routes: of no record and without a search, and none that stands in for another. */
export const isOfFew = (head: PageHead, { search }: PageLocation): boolean => !search && !head.isSpecial && !head.recordTitle;
