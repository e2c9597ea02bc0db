/** What other areas take from finance. */
export { Reference } from "./reference";
