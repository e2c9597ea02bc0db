/** Texts of clue pools. */
import type headings from "./headings.zh.json";

export const words = {
  "pool.title": "公海池",
  "pool.empty": "没有负责人的线索放在公海池里，由销售人员领取。",
  "pool.create": "新增公海池",
  "pool.edit": "修改公海池",
  "pool.editAction": "修改",
  "pool.keyword": "关键词",
  "pool.keywordHint": "名称",
  "pool.allTeams": "全部团队",
  "pool.never": "不回收",
  "pool.orgHint": "保存后可选择使用团队",
  "pool.claimHint": "每人每天最多领取的线索数",
  "pool.formerHint": "原负责人在此期间不能再领取",
  "pool.delayHint": "线索进入公海池后，过这段时间才能领取",
  "pool.reclaimHint": "这么多天没有跟进即回收，0 为不回收",
  "pool.remindHint": "回收前这么多天提醒，0 为不提醒",
  "pool.remindWrong": "应小于回收天数",
  "pool.sortHint": "小的在前，线索进入第一个适用的公海池",
  "pool.anyLevel": "不限级别",
  "pool.minLevelHint": "只有该级别及以上的销售可以领取其中的线索，或由人工、自动分配得到",
  "pool.teamsHint": "不选为全部团队",
  "pool.enable": "启用",
  "pool.disable": "停用",
  "pool.disableTitle": "停用公海池“{name}”？",
  "pool.disableText": "新的线索不再进入；池中线索仍可领取或分配。",
  "pool.enabled": "公海池已启用",
  "pool.disabled": "公海池已停用",
  "pool.delete": "删除",
  "pool.deleteTitle": "删除公海池“{name}”？",
  "pool.deleteText": "此操作不能撤销。",
  "pool.deleted": "公海池已删除",
  "pool.created": "公海池已新增",
  "pool.saved": "公海池已保存",
};

type Chinese = typeof words;
type Headings = typeof headings;

declare module "../../../lib/messages" {
  interface Texts extends Chinese, Headings {}
}
