/** Texts of payment exceptions. */
import type headings from "./headings.zh.json";

export const words = {
  "paymentException.title": "收款异常",
  "paymentException.tab": "收款异常",
  "paymentException.empty": "与订单不符的收款记在这里，由人核实处理；入账须由另一人确认。",
  "paymentException.awaits": "待处理",
  "paymentException.awaits.decision": "待确认入账",
  "paymentException.waitsFor": "已申请入账（{names}提交，须他人确认）",
  "paymentException.acceptance": "申请入账",
  "paymentException.keyword": "关键词",
  "paymentException.keywordHint": "完整的订单号或渠道流水号",
  "paymentException.state.fits": "{status}：{kind}。核实到账后可以申请入账到订单，或线下处理。",
  "paymentException.state.open": "{status}：{kind}。不能入账到订单，请核实后线下处理。",
  "paymentException.state.asked": "{status}：{names}申请入账到订单 {order}，须由另一人确认。说明：{note}",
  "paymentException.state.accepted": "{status}：已入账到订单 {order}。说明：{note}",
  "paymentException.state.handled": "{status}：已线下处理，订单不变。说明：{note}",
  "paymentException.accept": "申请入账",
  "paymentException.acceptTitle": "将收到的 {amount} 元入账到订单 {order}",
  "paymentException.acceptHint": "由另一人确认；确认后订单按实际到账的金额计为已支付",
  "paymentException.accepted": "已申请入账，等待另一人确认",
  "paymentException.confirm": "确认入账",
  "paymentException.confirmTitle": "确认将款项入账到订单 {order}？",
  "paymentException.confirmText": "{names} 申请入账 {amount} 元：{note}。请核实这笔款已到账；确认后订单按实际到账的金额计为已支付。",
  "paymentException.confirmed": "款项已入账",
  "paymentException.reject": "驳回入账",
  "paymentException.rejectTitle": "驳回订单 {order} 的入账申请",
  "paymentException.rejectReason": "驳回原因",
  "paymentException.rejected": "入账申请已驳回",
  "paymentException.withdraw": "撤回申请",
  "paymentException.withdrawTitle": "撤回订单 {order} 的入账申请？",
  "paymentException.withdrawText": "撤回后可以重新申请，或线下处理。",
  "paymentException.withdrawn": "入账申请已撤回",
  "paymentException.handle": "线下处理",
  "paymentException.handleTitle": "线下处理收款 {no}",
  "paymentException.handleHint": "款项已在系统外处理，如已退给付款人；订单不变",
  "paymentException.handled": "收款异常已处理",
};

type Chinese = typeof words;
type Headings = typeof headings;

declare module "../../../lib/messages" {
  interface Texts extends Chinese, Headings {}
}
