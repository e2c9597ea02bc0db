/** What other areas take from finance. */
export { LowBalance } from "./account/low-balance";
export { Reference } from "./reference";
