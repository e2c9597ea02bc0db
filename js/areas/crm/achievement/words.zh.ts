/** Texts of achievements. */
import type headings from "./headings.zh.json";

export const words = {
  "achievement.title": "业绩",
  "achievement.empty": "当月的目标与完成情况显示在这里。请设定目标，或等待首笔确认的收款。",
  "achievement.set": "设定目标",
  "achievement.setOf": "{month} 的目标",
  "achievement.setNext": "设定 {month} 的目标",
  "achievement.notAll": "只列出前 {count} 个，请先按机构或团队筛选。",
  "achievement.fillIn": "填入 {month} 的目标",
  "achievement.people": "个人进度（{month}）",
  "achievement.groups": "公司和团队进度（{month}）",
  "achievement.paceHint": "实际 / 到今天应完成（目标按天平均），落后最多的在前。",
  "achievement.behind": "落后",
  "achievement.whole": "当月目标 {target}",
  "achievement.setFor": "{name} 的目标",
  "achievement.loanAmount": "放款额（元）",
  "achievement.feeReceived": "收款额（元）",
  "achievement.signed": "签约数",
  "achievement.visits": "上门数",
  "achievement.noTarget": "留空表示不设目标",
  "achievement.saved": "目标已保存",
  "achievement.copy": "复制上月目标",
  "achievement.copyTitle": "将 {from} 的目标复制到 {month}？",
  "achievement.copyText": "已设定的目标保持不变。",
  "achievement.copyTo": "将 {from} 的目标复制到 {month}",
  "achievement.copied": "目标已复制",
  "achievement.copiedFrom": "复制自",
  "achievement.copiedCount": "复制的目标数",
};

type Chinese = typeof words;
type Headings = typeof headings;

declare module "../../../lib/messages" {
  interface Texts extends Chinese, Headings {}
}
