/** Texts of announcements. */
export const words = {
  "notice.title": "公告管理",
  "notice.empty": "公告会出现在收件人的消息中心里。",
  "notice.create": "发布公告",
  "notice.edit": "编辑公告",
  "notice.keyword": "关键词",
  "notice.keywordHint": "标题",
  "notice.name": "标题",
  "notice.nameEn": "英文标题",
  "notice.english": "留空则显示中文",
  "notice.content": "内容",
  "notice.contentEn": "英文内容",
  "notice.scope": "发给",
  "notice.scopeId": "收件人",
  "notice.choose": "请选择",
  "notice.status": "状态",
  "notice.status.scheduled": "待发布",
  "notice.status.published": "已发布",
  "notice.status.expired": "已过期",
  "notice.status.withdrawn": "已撤回",
  "notice.publishAt": "发布时间",
  "notice.publishHint": "北京时间，留空则立即发布",
  "notice.expiresAt": "过期时间",
  "notice.expiresHint": "北京时间，留空则一直有效",
  "notice.expiresEarly": "必须晚于发布时间",
  "notice.sender": "发布人",
  "notice.updatedAt": "更新时间",
  "notice.view": "详情",
  "notice.editAction": "编辑",
  "notice.withdraw": "撤回",
  "notice.withdrawTitle": "撤回公告“{name}”？",
  "notice.withdrawText": "撤回后收件人不再看到它，并且不能恢复。",
  "notice.delete": "删除",
  "notice.deleteTitle": "删除公告“{name}”？",
  "notice.deleteText": "这条公告还没有发布，删除后不能恢复。",
  "notice.created": "公告已保存",
  "notice.saved": "公告已保存",
  "notice.withdrawn": "公告已撤回",
  "notice.deleted": "公告已删除",
};

type Chinese = typeof words;

declare module "../../../lib/messages" {
  interface Texts extends Chinese {}
}
