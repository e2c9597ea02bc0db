/** Texts of the customers of the chat. */
import type headings from "./headings.zh.json";

export const words = {
  "customer.title": "客户列表",
  "customer.empty": "在网页上咨询的客户显示在这里。",
  "customer.keyword": "关键词",
  "customer.keywordHint": "称呼开头或完整手机号",
  "customer.tag": "标签",
  "customer.edit": "修改客户",
  "customer.editAction": "修改",
  "customer.tagsHint": "每行一个，最多 20 个",
  "customer.tagWrong": "“{line}”应为 1 至 20 字，不含引号和反斜杠",
  "customer.saved": "客户已保存",
  "customer.reveal": "查看完整号码",
  "customer.revealTitle": "客户“{name}”的完整号码",
  "customer.revealNote": "本次查看已记入操作记录。",
  "customer.phone": "手机号",
  "customer.says": "自称 {phone}，未验证",
  "customer.proved": "{phone}，已于 {at} 验证",
  "customer.saidPhone": "手机号（客户自称，未验证）",
  "customer.byWord": "（手机号未验证）",
  "customer.block": "拉黑",
  "customer.blockTitle": "拉黑客户“{name}”？",
  "customer.blockText": "对方不能再发送消息，已有的会话保留。",
  "customer.blocked": "客户已拉黑",
  "customer.letIn": "解除拉黑",
  "customer.letInTitle": "解除拉黑客户“{name}”？",
  "customer.letInText": "对方可以重新发送消息。",
  "customer.isBack": "已解除拉黑",
  "customer.erase": "注销",
  "customer.eraseTitle": "注销客户“{name}”？",
  "customer.eraseText": "称呼、手机号、备注、标签和全部消息将被清除，不能恢复。进行中的会话须先结束。",
  "customer.erased": "客户已注销",
};

type Chinese = typeof words;
type Headings = typeof headings;

declare module "../../../lib/messages" {
  interface Texts extends Chinese, Headings {}
}
