/** Texts of recharges. */
import type headings from "./headings.zh.json";

export const words = {
  "recharge.title": "充值列表",
  "recharge.empty": "机构的充值在这里申请，由另一人审核通过后到账。",
  "recharge.create": "申请充值",
  "recharge.submit": "提交申请",
  "recharge.keyword": "关键词",
  "recharge.keywordHint": "充值单号",
  "recharge.choose": "请选择",
  "recharge.amountInput": "充值金额",
  "recharge.amountNeeded": "请输入金额",
  "recharge.serialNeeded": "银行转账需要流水号",
  "recharge.giftInput": "赠送金额",
  "recharge.giftHint": "机构未付款、由平台赠送的金额，可不填",
  "recharge.proofsHint": "图片或 PDF，最多 5 个",
  "recharge.awaits": "待处理",
  "recharge.awaits.decision": "待审核",
  "recharge.reversalWaits": "申请冲正：{note}（{names}提交，须他人审核）",
  "recharge.approve": "通过",
  "recharge.approveTitle": "充值审核：{no}",
  "recharge.approveText": "充值 {amount} 元将计入“{org}”的账户。",
  "recharge.approveGiftText": "充值 {amount} 元、赠送 {gift} 元将计入“{org}”的账户。",
  "recharge.receiptHint": "收款单确认时金额已入账；选择后，这笔充值的金额不再重复入账",
  "recharge.noReceipt": "不关联",
  "recharge.reject": "驳回",
  "recharge.rejectTitle": "驳回充值 {no}",
  "recharge.cancel": "取消申请",
  "recharge.cancelTitle": "取消充值 {no}？",
  "recharge.cancelText": "取消后不能恢复，可以重新申请。",
  "recharge.askReversal": "申请冲正",
  "recharge.askReversalTitle": "申请冲正充值 {no}",
  "recharge.askReversalHint": "由另一人审核，通过后冲回已入账的金额",
  "recharge.reversalReason": "冲正原因",
  "recharge.reverse": "通过冲正",
  "recharge.reverseTitle": "冲正充值 {no}？",
  "recharge.reverseText": "{org} 已入账的 {amount} 元将冲回。申请原因：{note}",
  "recharge.reverseGiftText": "{org} 已入账的充值 {amount} 元、赠送 {gift} 元将冲回。申请原因：{note}",
  "recharge.reverseLinkedText":
    "{org} 已入账的赠送 {gift} 元将冲回。充值金额由收款单 {receipt} 入账，要冲回须作废该收款单。申请原因：{note}",
  "recharge.reverseNothingText": "这笔充值的金额由收款单 {receipt} 入账，冲正不改变“{org}”的余额；要冲回须作废该收款单。申请原因：{note}",
  "recharge.keep": "驳回冲正",
  "recharge.keepTitle": "驳回充值 {no} 的冲正申请",
  "recharge.withdrawReversal": "撤回冲正申请",
  "recharge.withdrawReversalTitle": "撤回充值 {no} 的冲正申请？",
  "recharge.withdrawReversalText": "充值保持已到账。",
  "recharge.created": "充值已申请，等待审核",
  "recharge.approved": "充值已到账",
  "recharge.rejected": "充值已驳回",
  "recharge.cancelled": "充值已取消",
  "recharge.reversalRequested": "已申请冲正，等待另一人审核",
  "recharge.reversed": "充值已冲正",
  "recharge.kept": "冲正申请已驳回，充值不变",
  "recharge.reversalWithdrawn": "冲正申请已撤回",
};

type Chinese = typeof words;
type Headings = typeof headings;

declare module "../../../lib/messages" {
  interface Texts extends Chinese, Headings {}
}
