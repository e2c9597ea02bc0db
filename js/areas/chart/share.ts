/** What other areas take from statistics. */
export { rowsBehind } from "./stat/rows-behind";
