/** Texts of achievements. */
import type headings from "./headings.zh.json";

export const words = {
  "achievement.title": "业绩",
  "achievement.empty": "当月的目标与完成情况显示在这里。请设定目标，或等待首笔确认的收款。",
  "achievement.set": "设定目标",
  "achievement.setTitle": "设定月度目标",
  "achievement.setFor": "{name} 的目标",
  "achievement.object": "对象",
  "achievement.choose": "请选择",
  "achievement.loanAmount": "放款额（元）",
  "achievement.feeReceived": "收款额（元）",
  "achievement.signed": "签约数",
  "achievement.visits": "上门数",
  "achievement.noTarget": "留空表示不设目标",
  "achievement.keepTarget": "留空表示不变",
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
