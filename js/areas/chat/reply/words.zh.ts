/** Texts of replies. */
import type headings from "./headings.zh.json";

export const words = {
  "chatReply.title": "回复设置",
  "chatReply.empty": "设置自动回复和客服使用的快捷回复。",
  "chatReply.create": "新增回复",
  "chatReply.edit": "修改回复",
  "chatReply.editAction": "修改",
  "chatReply.search": "关键词",
  "chatReply.searchHint": "内容、关键词或快捷码",
  "chatReply.trigger": "触发",
  "chatReply.allGroups": "全部分组",
  "chatReply.groupHint": "同时有分组回复时，分组的优先",
  "chatReply.keywordHint": "客户消息中的词，不分大小写",
  "chatReply.shortcutHint": "客服输入 / 加快捷码即可选用",
  "chatReply.shortcutWrong": "只能用汉字、字母和数字",
  "chatReply.sortHint": "小的优先",
  "chatReply.enable": "启用",
  "chatReply.disable": "停用",
  "chatReply.disableTitle": "停用回复“{name}”？",
  "chatReply.disableText": "停用后不再发送，也不能选用。",
  "chatReply.delete": "删除",
  "chatReply.deleteTitle": "删除回复“{name}”？",
  "chatReply.deleteText": "已发送的消息保留。",
  "chatReply.created": "回复已新增",
  "chatReply.saved": "回复已保存",
  "chatReply.enabled": "回复已启用",
  "chatReply.disabled": "回复已停用",
  "chatReply.deleted": "回复已删除",
};

type Chinese = typeof words;
type Headings = typeof headings;

declare module "../../../lib/messages" {
  interface Texts extends Chinese, Headings {}
}
