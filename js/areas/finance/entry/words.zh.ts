/** Texts of the entries of accounts. */
import type headings from "./headings.zh.json";

export const words = {
  "entry.title": "账户流水",
  "entry.empty": "账户的每一笔入账和扣款都会记在这里。",
  "entry.tab": "流水",
  "entry.keyword": "关键词",
  "entry.keywordHint": "关联单号开头",
};

type Chinese = typeof words;
type Headings = typeof headings;

declare module "../../../lib/messages" {
  interface Texts extends Chinese, Headings {}
}
