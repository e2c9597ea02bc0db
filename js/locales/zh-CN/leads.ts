/** Texts about new leads. */
export const leads = {
  "leads.title": "系统提示",
  "leads.text": "你有新用户线索，请及时处理！",
  "leads.open": "查看新线索",
  "leads.close": "关闭新线索提示",
  "leads.switch": "新线索提醒",
};
