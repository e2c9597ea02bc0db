/** Texts of payment links. */
import type headings from "./headings.zh.json";

export const words = {
  "paymentLink.title": "链接池",
  "paymentLink.empty": "导入的支付链接在这里，由另一人审核后可用，下单时每笔订单占用一条。",
  "paymentLink.import": "导入支付链接",
  "paymentLink.importHint":
    "必填列：通道编码、链接；可选列：金额（元）、有效期至、备注。金额留空表示任意金额。导入的链接须由另一人审核后才能使用。",
  "paymentLink.keyword": "关键词",
  "paymentLink.keywordHint": "完整的批次号或支付订单号",
  "paymentLink.anyAmount": "任意金额",
  "paymentLink.awaits": "等待",
  "paymentLink.awaits.decision": "审核",
  "paymentLink.showLinks": "查看全部链接",
  "paymentLink.pageOf": "第 {page} / {pages} 页，共 {links} 条",
  "paymentLink.incomplete": "导入尚未完成或已中断，不能通过。已中断的导入请驳回，由导入人重新导入。",
  "paymentLink.onlyAnyAmount": "{links} 条任意金额",
  "paymentLink.sumAndAnyAmount": "{sum}，另 {links} 条任意金额",
  "paymentLink.revealedPage": "查看的页",
  "paymentLink.state.proposed": "{status}：由{names}导入，须由另一人审核后才能使用。",
  "paymentLink.state.waiting": "{status}：导入审核通过后才能使用。",
  "paymentLink.state.free": "{status}：可用于下一笔订单。",
  "paymentLink.state.resting": "{status}：{at} 后可再次使用。",
  "paymentLink.state.reserved": "{status}：由订单 {no} 占用至 {at}。",
  "paymentLink.state.used": "{status}：订单 {no} 已通过此链接付款（{at}）。",
  "paymentLink.state.invalid": "{status}：不再用于订单，不能恢复。",
  "paymentLink.state.disabled": "{status}：不用于订单，可以再启用。",
  "paymentLink.withdraw": "撤回导入",
  "paymentLink.importedBy": "导入人",
  "paymentLink.links": "链接数",
  "paymentLink.hosts": "链接指向",
  "paymentLink.host": "{host}：{links} 条（{channels}）",
  "paymentLink.disable": "停用",
  "paymentLink.enable": "启用",
  "paymentLink.retire": "置为失效",
  "paymentLink.retireTitle": "将链接 {link} 置为失效？",
  "paymentLink.retireText": "失效后不再用于订单，且不能恢复。",
  "paymentLink.delete": "删除",
  "paymentLink.deleteTitle": "删除链接 {link}？",
  "paymentLink.deleteText": "删除后不能恢复，可以重新导入。",
  "paymentLink.disabled": "链接已停用",
  "paymentLink.enabled": "链接已启用",
  "paymentLink.retired": "链接已失效",
  "paymentLink.deleted": "链接已删除",
};

type Chinese = typeof words;
type Headings = typeof headings;

declare module "../../../lib/messages" {
  interface Texts extends Chinese, Headings {}
}
