/** Texts of the record of short messages. */
export const words = {
  "sms.title": "短信记录",
  "sms.empty": "发出的验证码、预警和线索短信会列在这里。",
  "sms.keyword": "关键词",
  "sms.keywordHint": "完整手机号或编号",
  "sms.no": "编号",
  "sms.kind": "类型",
  "sms.phone": "手机号",
  "sms.state": "状态",
  "sms.way": "去向",
  "sms.providerNo": "服务商编号",
  "sms.lastError": "最近一次错误",
  "sms.tries": "尝试次数",
  "sms.acceptedAt": "提交时间",
  "sms.reportedAt": "回执时间",
  "sms.expiresAt": "失效时间",
  "sms.creator": "发送人",
  "sms.createdAt": "创建时间",
  "sms.view": "详情",
  "sms.again": "再试一次",
  "sms.againTitle": "重新发送 {no}？",
  "sms.againText": "用同一编号再次提交给短信服务商，已收到的不会重复发送。",
  "sms.againDone": "已安排再次发送",
  "sms.giveUp": "放弃",
  "sms.giveUpTitle": "放弃发送 {no}？",
  "sms.giveUpText": "不再尝试发送这条短信。",
  "sms.giveUpDone": "已放弃这条短信",
  "sms.test": "发送测试短信",
  "sms.testHint": "使用当前的短信设置；列表中会显示结果",
  "sms.send": "发送",
  "sms.tested": "测试短信已排队，刷新可看结果",
  "sms.route.provider": "短信通过服务商 {host} 发出。",
  "sms.route.keyMissing": "已设置短信服务商 {host}，但没有密钥：短信发不出去。",
  "sms.route.file": "没有设置短信服务商：短信只写入日志文件，号码和验证码已掩码，没有人能收到。",
  "sms.route.clear_file": "没有设置短信服务商：短信以明文写入日志文件，只能在服务器上查看，仅供试用。",
  "sms.toSettings": "短信设置",
};

type Chinese = typeof words;

declare module "../../../lib/messages" {
  interface Texts extends Chinese {}
}
