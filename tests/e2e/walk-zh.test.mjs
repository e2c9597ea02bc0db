/** The pages of every demo account, in Chinese. */
import { walk } from "./walk.mjs";

walk("zh-CN");
