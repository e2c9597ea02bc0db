/** Texts of balances. */
import type headings from "./headings.zh.json";

export const words = {
  "balance.title": "科目余额",
  "balance.empty": "还没有资金往来。",
  "balance.tab": "科目余额",
  "balance.incomplete": "历史账务仍在补录，以下余额不完整，补录完成后才能导出。",
  "balance.at": "截至",
  "balance.accounts": "明细户",
};

type Chinese = typeof words;
type Headings = typeof headings;

declare module "../../../lib/messages" {
  interface Texts extends Chinese, Headings {}
}
