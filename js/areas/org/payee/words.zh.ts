/** Texts of the organisations and of the payees. */
export const words = {
  "payee.title": "收款主体",
  "payee.none": "还没有收款主体",
  "payee.empty": "收款主体是收款和开票的公司。新增后即可在机构中选择。",
  "payee.create": "新增收款主体",
  "payee.edit": "编辑收款主体",
  "payee.awaits": "待处理",
  "payee.awaits.decision": "待审核",
  "payee.keyword": "关键词",
  "payee.keywordHint": "名称或税号",
  "payee.name": "主体名称",
  "payee.status": "状态",
  "payee.taxNo": "税号",
  "payee.taxNoWrong": "15 到 20 位数字或字母",
  "payee.bankName": "开户行",
  "payee.bankAccount": "银行账号",
  "payee.accountWrong": "8 到 32 位数字",
  "payee.accountKeep": "留空则保留原账号",
  "payee.invoiceTypes": "发票类型",
  "payee.address": "地址",
  "payee.phone": "电话",
  "payee.createdAt": "创建时间",
  "payee.standing.enabled": "{status}：机构可以向它付款。",
  "payee.standing.noAccount": "{status}，但还没有审核通过的银行账户：付款人看不到账号，银行转账的收款通道也不能启用。",
  "payee.standing.disabled": "{status}：不能再选择，也不能用它的收款通道下单；已使用它的机构不变。",
  "payee.editAction": "编辑",
  "payee.delete": "删除",
  "payee.deleteTitle": "删除收款主体“{name}”？",
  "payee.deleteText": "删除后不能恢复。有机构使用的不能删除，请改为停用。",
  "payee.saved": "收款主体已保存",
  "payee.savedProposed": "已保存，银行账户待他人审核后生效",
  "payee.editNote": "修改开户行或银行账号后，须由其他人审核才生效，在此之前付款人看到的仍是原账户。",
  "payee.accountReviewed": "须由其他人审核后生效",
  "payee.deleted": "收款主体已删除",
};

type Chinese = typeof words;

declare module "../../../lib/messages" {
  interface Texts extends Chinese {}
}
