/** Texts of salespeople. */
import type headings from "./headings.zh.json";

export const words = {
  "salesperson.title": "销售人员",
  "salesperson.empty": "把机构的账号设为销售人员后，线索按规则分给他们。",
  "salesperson.employed": "是否在职",
  "salesperson.create": "新增销售人员",
  "salesperson.createNote": "账号在“管理员列表”中创建；这里把它设为销售人员。",
  "salesperson.editTitle": "修改销售人员 {name}",
  "salesperson.editAction": "修改",
  "salesperson.keyword": "关键词",
  "salesperson.keywordHint": "姓名、用户名或工号",
  "salesperson.choose": "请选择",
  "salesperson.account": "账号",
  "salesperson.ownTeam": "账号现在的团队",
  "salesperson.noTeam": "无团队",
  "salesperson.teamHint": "换团队时，账号和进行中的线索一并调整，需重新登录",
  "salesperson.weightHint": "1 到 100，权重越大分到的线索越多",
  "salesperson.noLimit": "不限",
  "salesperson.noLimitHint": "留空不限",
  "salesperson.levelHint": "公海池可以要求最低级别",
  "salesperson.allCities": "全部",
  "salesperson.citiesHint": "可选整个省；留空为全部",
  "salesperson.stopReceiving": "停止接收",
  "salesperson.startReceiving": "开始接收",
  "salesperson.receives": "已开始接收线索",
  "salesperson.receivesNone": "已停止接收线索",
  "salesperson.away": "休假",
  "salesperson.awayTitle": "{name} 休假？",
  "salesperson.awayText": "休假期间不接收线索，已有线索保留。",
  "salesperson.isAway": "已设为休假",
  "salesperson.back": "返岗",
  "salesperson.rehire": "重新入职",
  "salesperson.isActive": "已在职，并开始接收线索",
  "salesperson.leave": "办理离职",
  "salesperson.leaveTitle": "{name} 离职",
  "salesperson.leaveNote": "{name} 还有 {held} 条进行中的线索，离职时一并移交。已结束的线索保留原负责人。",
  "salesperson.leaveNothing": "{name} 没有进行中的线索。",
  "salesperson.handOverTo": "移交给",
  "salesperson.toPool": "退回公海池",
  "salesperson.hasLeft": "已离职，线索已移交",
  "salesperson.created": "销售人员已新增",
  "salesperson.saved": "销售人员已保存",
};

type Chinese = typeof words;
type Headings = typeof headings;

declare module "../../../lib/messages" {
  interface Texts extends Chinese, Headings {}
}
