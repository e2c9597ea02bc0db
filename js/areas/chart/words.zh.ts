/** Texts of the statistics. */
import type headings from "./headings.zh.json";

export const words = {
  "stat.title.whole.channel": "渠道统计",
  "stat.title.whole.product": "产品统计",
  "stat.title.whole.system": "系统统计",
  "stat.title.whole.org": "机构统计",
  "stat.title.whole.score": "评分统计",
  "stat.title.day.channel": "渠道日环比",
  "stat.title.day.product": "产品日环比",
  "stat.title.day.system": "系统日环比",
  "stat.title.day.org": "机构日环比",
  "stat.title.month.channel": "渠道月统计",
  "stat.title.month.product": "产品月统计",
  "stat.title.month.system": "系统月统计",
  "stat.title.month.org": "机构月统计",
  "stat.empty": "所选日期内没有数据。",
  "stat.formulas": "指标说明",
  "stat.rates": "所选日期内分子大于分母时不显示比率，例如成交的是更早推送的线索，或申请人没有访问记录；分母不足 20 时也不显示。",
  "stat.days": "日期",
  "stat.against": "对比日期",
  "stat.returnsBy": "退单计入",
  "stat.channel": "渠道",
  "stat.product": "产品",
  "stat.org": "机构",
  "stat.dayBefore": "日",
  "stat.weekBefore": "周",
  "stat.points": "{change} 个百分点",
};

type Chinese = typeof words;
type Headings = typeof headings;

declare module "../../lib/messages" {
  interface Texts extends Chinese, Headings {}
}
