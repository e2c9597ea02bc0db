/** Texts of transfers. */
import type headings from "./headings.zh.json";

export const words = {
  "transfer.title": "资金分录",
  "transfer.empty": "充值、扣费、退款、收款等每一笔资金往来都在这里，借贷相等。",
  "transfer.tab": "分录",
  "transfer.account": "科目",
  "transfer.owner": "户号",
};

type Chinese = typeof words;
type Headings = typeof headings;

declare module "../../../lib/messages" {
  interface Texts extends Chinese, Headings {}
}
