/** Texts of the blacklist. */
import type headings from "./headings.zh.json";

export const words = {
  "blacklist.title": "黑名单",
  "blacklist.empty": "不再服务的手机号、身份证号、IP 和设备登记在这里，进件和推送时拦截。",
  "blacklist.create": "新增黑名单",
  "blacklist.edit": "编辑黑名单",
  "blacklist.import": "导入黑名单",
  "blacklist.importHint": "必填列：类型、名单值、原因；可选列：范围、渠道或机构编码、来源、到期时间。",
  "blacklist.keyword": "关键词",
  "blacklist.keywordHint": "完整的名单值，或原因开头",
  "blacklist.valueHint": "保存后只显示掩码",
  "blacklist.valueFixed": "名单值不能修改，请新增一条",
  "blacklist.phoneWrong": "请输入 11 位手机号",
  "blacklist.idNoWrong": "请输入 18 位身份证号",
  "blacklist.ipWrong": "请输入一个 IP 地址",
  "blacklist.deviceWrong": "请输入 6 到 128 位的设备标识，不含空格",
  "blacklist.choose": "请选择",
  "blacklist.channelNeeded": "请选择渠道",
  "blacklist.orgNeeded": "请选择机构",
  "blacklist.expiresHint": "不填则长期有效",
  "blacklist.why.global": "{status}：拦截所有渠道的申请，不分发给任何机构（按{kind}）。",
  "blacklist.why.channel": "{status}：拦截渠道“{name}”的申请（按{kind}）。",
  "blacklist.why.organisation": "{status}：不分发给机构“{name}”（按{kind}）。",
  "blacklist.why.expired": "{status}，但已于 {at} 到期：不再拦截。",
  "blacklist.why.lifted": "{status}（{reason}）：不再拦截。",
  "blacklist.why.until": "{at} 到期。",
  "blacklist.why.forever": "长期有效。",
  "blacklist.why.hits": "已拦截 {count} 次，最近一次在 {at}。",
  "blacklist.why.noHits": "还没有拦截过。",
  "blacklist.editAction": "编辑",
  "blacklist.lift": "解除",
  "blacklist.liftTitle": "解除黑名单 {value}",
  "blacklist.liftHint": "解除后不再拦截",
  "blacklist.putBack": "恢复",
  "blacklist.putBackTitle": "恢复黑名单 {value}？",
  "blacklist.putBackText": "恢复后重新拦截。",
  "blacklist.delete": "删除",
  "blacklist.deleteTitle": "删除黑名单 {value}？",
  "blacklist.deleteText": "删除后不再拦截，且不能恢复。",
  "blacklist.created": "黑名单已新增",
  "blacklist.saved": "黑名单已保存",
  "blacklist.lifted": "黑名单已解除",
  "blacklist.isBack": "黑名单已恢复",
  "blacklist.deleted": "黑名单已删除",
};

type Chinese = typeof words;
type Headings = typeof headings;

declare module "../../../lib/messages" {
  interface Texts extends Chinese, Headings {}
}
