/** Texts of payments that several records show. */
export const words = {
  "payTrail.no": "单号",
  "payTrail.amountCents": "金额（元）",
  "payTrail.expiresAt": "有效期至",
  "payTrail.status": "状态",
  "payTrail.status.proposed": "待审核",
  "payTrail.status.enabled": "启用",
  "payTrail.status.disabled": "停用",
  "payTrail.status.free": "可用",
  "payTrail.status.reserved": "占用",
  "payTrail.status.used": "已用",
  "payTrail.status.invalid": "失效",
  "payTrail.status.created": "待支付",
  "payTrail.status.paying": "支付中",
  "payTrail.status.success": "成功",
  "payTrail.status.failed": "失败",
  "payTrail.status.cancelled": "已撤销",
  "payTrail.status.closed": "已关闭",
  "payTrail.status.part_refunded": "部分退款",
  "payTrail.status.refunded": "已退款",
  "payTrail.status.pending": "待审核",
  "payTrail.status.processing": "处理中",
  "payTrail.status.rejected": "已驳回",
  "payTrail.status.withdrawn": "已撤回",
  "payTrail.status.open": "待处理",
  "payTrail.status.settled": "已处理",
  "payTrail.kind": "类型",
  "payTrail.kind.late": "关单后到账",
  "payTrail.kind.refund": "退款不符",
  "payTrail.kind.refund_stuck": "退款异常，须到渠道商户平台处理",
  "payTrail.kind.amount": "金额不符",
  "payTrail.kind.currency": "币种不符",
  "payTrail.kind.twice": "重复付款",
  "payTrail.kind.unknown_order": "无此订单",
  "payTrail.kind.ended_clue": "线索已结束",
  "payTrail.kind.paid_and_refunded": "已付款又退款",
  "payTrail.kind.already_entered": "该笔款项已入账",
  "payTrail.kind.ours_only": "平台有、通道无",
  "payTrail.kind.theirs_only": "通道有、平台无",
};

type Chinese = typeof words;

declare module "../../lib/messages" {
  interface Texts extends Chinese {}
}
