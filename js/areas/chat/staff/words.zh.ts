/** Texts of service staff. */
import type headings from "./headings.zh.json";

export const words = {
  "chatStaff.title": "客服人员",
  "chatStaff.empty": "把平台账号设为客服后，即可接待所在分组的客户。",
  "chatStaff.create": "新增客服",
  "chatStaff.edit": "修改客服",
  "chatStaff.editAction": "修改",
  "chatStaff.keyword": "关键词",
  "chatStaff.keywordHint": "昵称、姓名或用户名",
  "chatStaff.account": "账号",
  "chatStaff.choose": "请选择",
  "chatStaff.accountHint": "启用的平台账号，每个账号一条",
  "chatStaff.nicknameHint": "客户看到的名称",
  "chatStaff.maxOpenHint": "同时自动分配的会话数，1 到 200",
  "chatStaff.autoAcceptHint": "关闭后只能手动接入",
  "chatStaff.noAccounts": "平台的账号都已是客服人员",
  "chatStaff.enable": "启用",
  "chatStaff.disable": "停用",
  "chatStaff.disableTitle": "停用客服“{name}”？",
  "chatStaff.disableText": "停用后不能接待客户。有进行中或已挂起的会话时不能停用。",
  "chatStaff.delete": "删除",
  "chatStaff.deleteTitle": "删除客服“{name}”？",
  "chatStaff.deleteText": "账号本身不受影响，以往的会话保留。",
  "chatStaff.created": "客服已新增",
  "chatStaff.saved": "客服已保存",
  "chatStaff.enabled": "客服已启用",
  "chatStaff.disabled": "客服已停用",
  "chatStaff.deleted": "客服已删除",
  "chatFigure.title": "客服统计",
  "chatFigure.empty": "没有客服人员。",
  "chatFigure.created": "开始日期",
  "chatFigure.seconds": "{number} 秒",
  "chatFigure.minutes": "{number} 分钟",
  "chatFigure.hours": "{number} 小时",
};

type Chinese = typeof words;
type Headings = typeof headings;

declare module "../../../lib/messages" {
  interface Texts extends Chinese, Headings {}
}
