/** Texts of what can be invoiced. */
import type headings from "./headings.zh.json";

export const words = {
  "invoiceable.title": "可开票金额",
  "invoiceable.empty": "机构向各开票主体的消费和可开票金额在这里。",
  "invoiceable.tab": "可开票金额",
  "invoiceable.state": "开票情况",
};

type Chinese = typeof words;
type Headings = typeof headings;

declare module "../../../lib/messages" {
  interface Texts extends Chinese, Headings {}
}
