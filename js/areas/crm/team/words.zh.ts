/** Texts of the salespeople, their teams and the pools. */
import type headings from "./headings.zh.json";

export const words = {
  "team.title": "团队",
  "team.empty": "机构的销售团队，线索先按权重分到团队，再分到人。",
  "team.create": "新增团队",
  "team.none": "该机构还没有团队",
  "team.edit": "修改团队",
  "team.editAction": "修改",
  "team.keyword": "关键词",
  "team.keywordHint": "名称、城市、负责人或完整电话",
  "team.phoneKeep": "留空保留原号码",
  "team.acceptHint": "关闭后不再按规则分配新线索",
  "team.weightHint": "1 到 100，权重越大分到的线索越多",
  "team.sortHint": "小的在前",
  "team.statusHint": "停用前，团队不能有销售人员、进行中的线索和未结束的计划",
  "team.created": "团队已新增",
  "team.saved": "团队已保存",
};

type Chinese = typeof words;
type Headings = typeof headings;

declare module "../../../lib/messages" {
  interface Texts extends Chinese, Headings {}
}
