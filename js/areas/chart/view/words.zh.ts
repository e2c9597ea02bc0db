/** Texts of saved views of statistics. */
export const words = {
  "view.title": "视图",
  "view.standard": "标准",
  "view.isDefault": "（默认）",
  "view.save": "保存为视图",
  "view.edit": "修改视图",
  "view.delete": "删除视图",
  "view.deleteTitle": "删除视图“{name}”？",
  "view.deleteText": "统计数据不受影响。",
  "view.name": "视图名称",
  "view.default": "打开页面时默认使用",
  "view.replace": "用当前的筛选、排序与列替换",
  "view.sendRole": "每天发送给角色",
  "view.notSent": "不发送",
  "view.sendHint": "该角色的每个人会收到按自己权限生成的文件",
  "view.sendFails": "文件连续 {count} 次未能生成，将再次尝试",
  "view.sendStopped": "文件连续 {count} 次未能生成，已停止发送；请检查筛选条件后重新保存",
  "view.sendTime": "发送时间",
  "view.note": "视图保存当前的筛选、排序和列，只有您在这里看到它。常用日期范围会随日期更新。",
  "view.range": "日期范围",
  "view.fixed": "固定为当前日期",
  "view.sendMinute": "发送时间（当天第几分钟）",
};

type Chinese = typeof words;

declare module "../../../lib/messages" {
  interface Texts extends Chinese {}
}
