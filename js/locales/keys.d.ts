/** The labels of codes are texts as others are. */

import type { codes } from "./zh-CN/codes";

type Codes = typeof codes;

declare module "../lib/messages" {
  interface Texts extends Codes {}
}
