/** Texts of refunds of payments. */
import type headings from "./headings.zh.json";

export const words = {
  "paymentRefund.title": "退款",
  "paymentRefund.tab": "退款",
  "paymentRefund.empty": "在订单中申请退款，由另一人在这里审核，通过后退给付款人。",
  "paymentRefund.keyword": "关键词",
  "paymentRefund.keywordHint": "完整的退款单号或订单号",
  "paymentRefund.late": "超时",
  "paymentRefund.late.yes": "超过一天未完成",
  "paymentRefund.left": "剩余可退（元）",
  "paymentRefund.state.pending": "{status}：退款 {amount} 元。由{names}申请，须由另一人审核。",
  "paymentRefund.state.processing": "{status}：{at} 审核通过，等待{provider}退款 {amount} 元，系统会继续查询结果。",
  "paymentRefund.state.success": "{status}：{amount} 元已于 {at} 退给付款人。",
  "paymentRefund.state.failed": "{status}：{amount} 元没有退给付款人。原因：{why}",
  "paymentRefund.state.rejected": "{status}，没有退款：{note}",
  "paymentRefund.state.withdrawn": "{status}：没有退款，可以重新申请。",
  "paymentRefund.requested": "退款已申请，等待另一人审核",
  "paymentRefund.approve": "通过",
  "paymentRefund.approveTitle": "退款审核：{no}",
  "paymentRefund.approveText":
    "通过后向{provider}申请把 {amount} 元退给付款人（“{org}”，订单 {order}）。充值订单的退款同时从机构账户扣除。",
  "paymentRefund.approveByHandText":
    "该通道不能自动退款：请先把 {amount} 元退给付款人（“{org}”，订单 {order}），再点击通过。充值订单的退款同时从机构账户扣除。",
  "paymentRefund.serialNeeded": "银行转账需要流水号",
  "paymentRefund.serialHint": "退回付款人的银行转账流水号",
  "paymentRefund.approved": "退款已通过，正在向渠道申请",
  "paymentRefund.made": "退款已通过并登记为已退",
  "paymentRefund.reject": "驳回",
  "paymentRefund.rejectTitle": "驳回退款 {no}",
  "paymentRefund.rejected": "退款已驳回",
  "paymentRefund.withdraw": "撤回",
  "paymentRefund.withdrawTitle": "撤回退款 {no}？",
  "paymentRefund.withdrawText": "撤回后不能恢复，可以重新申请。",
  "paymentRefund.withdrawn": "退款已撤回",
};

type Chinese = typeof words;
type Headings = typeof headings;

declare module "../../../lib/messages" {
  interface Texts extends Chinese, Headings {}
}
