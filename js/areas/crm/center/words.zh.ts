/** Texts of a salesperson's day. */
export const words = {
  "center.title": "{name}的工作台",
  "center.figures": "待办",
  "center.due": "今日待联系",
  "center.noDue": "今天没有待联系的线索。",
  "center.fresh": "新线索",
  "center.noFresh": "没有未查看的线索。",
  "center.all": "查看全部",
  "center.held": "进行中 {count}",
  "center.assigned": "今日分配 {count}",
  "center.receiving": "接收新线索",
  "center.notReceiving": "暂停接收",
  "center.receive": "开始接收",
  "center.stop": "暂停接收",
  "center.receives": "已开始接收新线索",
  "center.stopped": "已暂停接收新线索",
  "center.month": "本月业绩（{month}）",
  "center.pace": "未达进度人员",
  "center.people": "团队今日",
  "center.noPeople": "还没有销售人员。",
  "center.person": "销售",
  "center.team": "团队",
  "center.status": "状态",
  "center.open": "进行中",
  "center.overdue": "已逾期",
  "center.new": "新线索",
  "center.followedToday": "今日跟进",
};

type Chinese = typeof words;

declare module "../../../lib/messages" {
  interface Texts extends Chinese {}
}
