/** The pages of every demo account, in English. */
import { walk } from "./walk.mjs";

walk("en-US");
