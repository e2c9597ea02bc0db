/** Texts of the log of matching. */
export const words = {
  "match.daysTitle": "渠道撞库列表",
  "match.daysTab": "按渠道",
  "match.daysEmpty": "渠道的撞库询问会按天汇总在这里。",
  "match.title": "撞库明细",
  "match.empty": "渠道的询问、每轮匹配和对机构的询问会列在这里。",
  "match.day": "日期",
  "match.channel": "渠道",
  "match.asked": "撞库数",
  "match.matched": "匹配成功",
  "match.rate": "成功率",
  "match.known": "用户已存在",
  "match.refused": "不符合",
  "match.noPlan": "无可用计划",
  "match.test": "测试",
  "match.rows": "明细",
  "match.keyword": "关键词",
  "match.keywordHint": "撞库编号或完整手机号",
  "match.no": "编号",
  "match.direction": "方向",
  "match.direction.inbound": "渠道→我方",
  "match.direction.outbound": "我方→机构",
  "match.direction.round": "分发",
  "match.status": "结果",
  "match.user": "用户编号",
  "match.phone": "手机号",
  "match.city": "城市",
  "match.plan": "计划",
  "match.org": "机构",
  "match.bid": "出价（元）",
  "match.took": "耗时（毫秒）",
  "match.at": "时间",
  "match.view": "详情",
  "match.exchange": "问答内容",
  "match.nothing": "没有更多内容",
  "match.request": "请求",
  "match.response": "响应",
  "match.reasonCount": "{reason} {count}",
  "match.passedOver": "未选用的计划：{count} 个",
};

type Chinese = typeof words;

declare module "../../../lib/messages" {
  interface Texts extends Chinese {}
}
