/** Texts of returns. */
export const words = {
  "return.title": "退单",
  "return.waits": "待审核",
  "return.status": "退单",
  "return.reason": "退单原因",
  "return.choose": "请选择",
  "return.note": "说明",
  "return.noteHint": "原因为“其他”时必填；姓名和长号码保存时会打码",
  "return.proofs": "凭证",
  "return.proofsHint": "最多 5 个文件，如通话录音、截图",
  "return.refund": "退款金额（元）",
  "return.creator": "申请人",
  "return.createdAt": "申请时间",
  "return.reviewer": "审核人",
  "return.byRules": "按约定自动通过",
  "return.reviewedAt": "审核时间",
  "return.reviewNote": "审核意见",
  "return.reviewHint": "驳回时必填，机构会看到",
  "return.chargeChannel": "追回渠道费用",
  "return.chargeHint": "选“是”则不再为该申请人向渠道付费",
  "return.ask": "申请退单",
  "return.askTitle": "申请退单：{no}（{price} 元）",
  "return.asked": "已申请退单，等待审核",
  "return.approvedAtOnce": "退单已按约定自动通过，款项已退回",
  "return.withdraw": "撤回退单",
  "return.withdrawTitle": "撤回推送 {no} 的退单？",
  "return.withdrawText": "撤回后线索仍归机构；在期限内可以再次申请。",
  "return.withdrawn": "退单已撤回",
  "return.audit": "审核退单",
  "return.auditTitle": "审核退单：{no}（{why}）",
  "return.decision": "决定",
  "return.decision.approve": "通过，退款 {refund} 元",
  "return.decision.refuse": "驳回",
  "return.decide": "提交",
  "return.decided": "退单已审核",
  "return.replace": "补发线索",
  "return.replaceHint": "其计划优先获得下一条合适的线索，价格不高于退款金额",
  "return.replacementDue": "补发",
  "return.replacementDue.yes": "待补发",
  "return.replacementDueAt": "补发期限",
  "return.replacementNo": "补发的线索",
};

type Chinese = typeof words;

declare module "../../../lib/messages" {
  interface Texts extends Chinese {}
}
