/** The labels of codes are texts as others are. */

import type { codes } from "./zh-CN/codes";
import type fields from "./zh-CN/fields.json";

type Codes = typeof codes;
type Fields = typeof fields;

declare module "../lib/messages" {
  interface Texts extends Codes, Fields {}
}
