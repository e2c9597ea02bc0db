/** Texts of the register of agreements. */
import type headings from "./headings.zh.json";

export const words = {
  "agreement.title": "授权书",
  "agreement.none": "还没有有效的授权书",
  "agreement.empty": "申请人授权时所读的文本登记在这里，每份授权都引用其中一个版本。",
  "agreement.create": "新增授权书",
  "agreement.edit": "编辑授权书",
  "agreement.keyword": "关键词",
  "agreement.keywordHint": "编码、版本或名称",
  "agreement.text": "全文",
  "agreement.noText": "没有保存文本，只有已有授权所记的摘要。",
  "agreement.codeHint": "1 到 32 位字母、数字、点、短横线或下划线",
  "agreement.editionHint": "例如 2026.1",
  "agreement.fixed": "已有授权引用，编码、版本、全文和生效时间不能修改，请新增一个版本",
  "agreement.validFromHint": "不填则立即生效",
  "agreement.validToHint": "不填则长期有效",
  "agreement.textHint": "保存时由系统计算摘要，首尾空白会去掉",
  "agreement.textMissing": "请粘贴与已有摘要一致的全文，也可以留空",
  "agreement.state.waiting": "{status}：{from} 起新的授权可以引用它。",
  "agreement.state.valid": "{status}：新的授权可以引用它。",
  "agreement.state.until": "{status}：{until} 前新的授权可以引用它。",
  "agreement.state.ended": "{status}：{until} 起新的授权不能引用它。",
  "agreement.editAction": "编辑",
  "agreement.delete": "删除",
  "agreement.deleteTitle": "删除授权书 {name}？",
  "agreement.deleteText": "还没有授权引用它，删除后不能恢复。",
  "agreement.created": "授权书已新增",
  "agreement.saved": "授权书已保存",
  "agreement.deleted": "授权书已删除",
};

type Chinese = typeof words;
type Headings = typeof headings;

declare module "../../../lib/messages" {
  interface Texts extends Chinese, Headings {}
}
