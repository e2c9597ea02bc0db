/** Texts of service groups. */
import type headings from "./headings.zh.json";

export const words = {
  "chatGroup.title": "客服分组",
  "chatGroup.empty": "按业务分组接待客户：设置工作时间和会话的分配方式。",
  "chatGroup.create": "新增分组",
  "chatGroup.none": "没有启用的分组",
  "chatGroup.edit": "修改分组",
  "chatGroup.editAction": "修改",
  "chatGroup.keyword": "关键词",
  "chatGroup.keywordHint": "分组名称",
  "chatGroup.always": "全天",
  "chatGroup.never": "不自动结束",
  "chatGroup.hoursHint": "不填为全天。非工作时间仍可留言，并发送非工作时间回复",
  "chatGroup.idleHint": "客户已得到回复、双方无新消息达到此时长后自动结束；0 为不自动结束",
  "chatGroup.noTarget": "不设时限",
  "chatGroup.targetHint": "按工作时间计算，从此后开始的会话起生效；0 为不设",
  "chatGroup.frameSitesHint": "可在网页中嵌入客服窗口的网站，每行一个，如 https://www.example.com。不填则仅本站",
  "chatGroup.notSite": "“{site}”不是网站地址，应如 https://www.example.com",
  "chatGroup.noSites": "仅本站",
  "chatGroup.sortHint": "小的在前",
  "chatGroup.assignHint": "手动接待：客服自行接入排队的会话",
  "chatGroup.enable": "启用",
  "chatGroup.disable": "停用",
  "chatGroup.disableTitle": "停用分组“{name}”？",
  "chatGroup.disableText": "停用后不再接收新会话，已有会话继续接待。",
  "chatGroup.delete": "删除",
  "chatGroup.deleteTitle": "删除分组“{name}”？",
  "chatGroup.deleteText": "有客服、会话或回复的分组不能删除。",
  "chatGroup.created": "分组已新增",
  "chatGroup.saved": "分组已保存",
  "chatGroup.enabled": "分组已启用",
  "chatGroup.disabled": "分组已停用",
  "chatGroup.deleted": "分组已删除",
  "chatGroup.entry": "接入方式",
  "chatGroup.pageAddress": "访客页面地址",
  "chatGroup.snippet": "网页嵌入代码",
  "chatGroup.snippetHint": "将代码放在网页 </body> 之前，页面右下角出现客服按钮。仅在“允许嵌入的网站”中有效。",
};

type Chinese = typeof words;
type Headings = typeof headings;

declare module "../../../lib/messages" {
  interface Texts extends Chinese, Headings {}
}
