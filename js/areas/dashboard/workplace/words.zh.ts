/** Texts of the workplace. */
export const words = {
  "workplace.morning": "早上好，{name}",
  "workplace.afternoon": "下午好，{name}",
  "workplace.evening": "晚上好，{name}",
  "workplace.weekday.1": "星期一",
  "workplace.weekday.2": "星期二",
  "workplace.weekday.3": "星期三",
  "workplace.weekday.4": "星期四",
  "workplace.weekday.5": "星期五",
  "workplace.weekday.6": "星期六",
  "workplace.weekday.7": "星期日",
  "workplace.figures": "今日关注",
  "workplace.newLeads": "待查看的新线索",
  "workplace.quick": "快捷入口",
  "workplace.channels": "新增或管理渠道",
  "workplace.admins": "管理员管理",
  "workplace.charts": "数据可视化",
  "workplace.server": "服务器状态",
  "workplace.audit": "操作日志",
  "first.title": "从这里开始：卖出第一条线索",
  "first.done": "已完成",
  "first.others": "由他人办理",
  "first.begin": "去办理",
  "first.continue": "继续",
  "first.hide": "不再显示",
  "workplace.todos": "我的待办",
  "workplace.noTodos": "没有待办",
  "workplace.operations": "最近操作",
  "workplace.noOperations": "还没有操作记录",
  "workplace.program": "系统",
  "workplace.signIns": "我的登录记录",
  "workplace.noSignIns": "还没有登录记录",
};

type Chinese = typeof words;

declare module "../../../lib/messages" {
  interface Texts extends Chinese {}
}
