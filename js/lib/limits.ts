/** Limits of forms, written by `make types` from the `form_limits!` blocks of the crates. */

export const achievementTargetLimits = {
  mostCents: 1000000000000,
  mostClues: 1000000,
} as const;

export const adjustmentLimits = {
  mostCents: 10000000000,
  mostProofs: 5,
  reason: 500,
} as const;

export const adminLimits = {
  realName: 32,
  username: 32,
} as const;

export const agreementLimits = {
  code: 32,
  name: 64,
  text: 20000,
} as const;

export const blacklistLimits = {
  reason: 200,
} as const;

export const capLimits = {
  mostCaps: 20,
  mostCents: 100000000000,
  mostCount: 10000000,
} as const;

export const channelLimits = {
  code: 32,
  mostAddresses: 50,
  mostCents: 100000000,
  mostDedupDays: 3650,
  name: 64,
  remark: 500,
} as const;

export const chatGroupLimits = {
  mostMinutes: 10080,
  mostSites: 20,
  mostSort: 9999,
  name: 32,
} as const;

export const chatReplyLimits = {
  content: 1000,
  keyword: 32,
  shortcut: 20,
} as const;

export const chatStaffLimits = {
  mostOpen: 200,
  nickname: 20,
} as const;

export const complianceCheckLimits = {
  mostRecipients: 200,
  name: 64,
  recipient: 64,
  text: 20000,
  version: 32,
} as const;

export const complianceRuleLimits = {
  code: 48,
  last: 9999,
  mostDays: 3650,
  mostWords: 500,
  title: 64,
  word: 40,
} as const;

export const conversationLimits = {
  closeNote: 500,
  message: 2000,
  transferNote: 200,
} as const;

export const customerLimits = {
  mostTags: 20,
  nickname: 32,
  remark: 500,
  tag: 20,
} as const;

export const decisionLimits = {
  reason: 200,
} as const;

export const deliveryLimits = {
  answer: 8000,
  expression: 300,
  key: 2000,
  leastTimeout: 500,
  mostRetries: 10,
  mostTimeout: 30000,
} as const;

export const dictionaryLimits = {
  chosenValue: 64,
  code: 48,
  last: 9999,
  name: 64,
  remark: 200,
} as const;

export const feedbackLimits = {
  mostCents: 10000000000,
  mostStars: 3,
  text: 500,
} as const;

export const fieldLimits = {
  address: 500,
  email: 128,
} as const;

export const followUpLimits = {
  mostFiles: 9,
  mostStars: 3,
  note: 1000,
} as const;

export const incomingPaymentLimits = {
  number: 64,
} as const;

export const invoiceLimits = {
  code: 12,
  content: 100,
  courier: 32,
  mostCents: 10000000000,
  mostFiles: 5,
  number: 20,
  receiverAddress: 200,
  receiverEmail: 100,
  receiverName: 32,
  redReason: 500,
  remark: 500,
  specialField: 100,
  taxNo: 20,
  title: 100,
  trackingNo: 32,
} as const;

export const leadReturnLimits = {
  mostProofs: 5,
  note: 500,
} as const;

export const menuLimits = {
  icon: 32,
  mostSort: 99,
  titleEn: 64,
  titleZh: 32,
} as const;

export const moneyLimits = {
  mostCents: 10000000000,
  mostProofs: 5,
  remark: 500,
} as const;

export const noticeLimits = {
  content: 2000,
  contentEn: 4000,
  title: 60,
  titleEn: 120,
} as const;

export const orgLimits = {
  address: 200,
  code: 32,
  contactName: 32,
  licenceNo: 64,
  mostCents: 10000000000,
  mostPhones: 5,
  mostReturnDays: 90,
  name: 64,
  shortName: 32,
} as const;

export const outgoingPaymentLimits = {
  number: 64,
} as const;

export const partnerAdjustmentLimits = {
  mostCents: 10000000000,
  reason: 500,
} as const;

export const partnerConfirmationLimits = {
  mostProofs: 5,
  reason: 500,
} as const;

export const payeeLimits = {
  address: 200,
  bankName: 64,
  name: 64,
  phone: 32,
  taxNo: 20,
} as const;

export const payeeChannelLimits = {
  apiKey: 32,
  code: 32,
  gatewayUrl: 300,
  instructions: 500,
  key: 8000,
  mchNo: 32,
  mostBp: 1000,
  mostCents: 10000000000,
  mostSort: 9999,
  name: 64,
  param: 64,
} as const;

export const paymentOrderLimits = {
  channelOrderNo: 64,
  leastMinutes: 5,
  mostMinutes: 10080,
  remark: 200,
  subject: 100,
} as const;

export const paymentRefundLimits = {
  reason: 80,
} as const;

export const paymentStatementLimits = {
  columnTitle: 64,
  mostLines: 20000,
} as const;

export const payoutLimits = {
  bankNumber: 64,
  mostProofs: 5,
  remark: 200,
} as const;

export const plainExportLimits = {
  leastReason: 5,
  mostReason: 200,
} as const;

export const planLimits = {
  leastBuyers: 2,
  mostBuyers: 5,
  mostCities: 400,
  mostDedupDays: 3650,
  mostExposureWeight: 100,
  mostPriority: 9999,
  mostWeight: 100,
  name: 64,
  remark: 500,
} as const;

export const planTrialLimits = {
  mostDays: 14,
} as const;

export const poolLimits = {
  mostClaims: 10000,
  mostDays: 365,
  mostMinutes: 10080,
  mostSort: 9999,
  name: 32,
} as const;

export const priceLimits = {
  mostCents: 1000000,
  mostPrices: 20,
} as const;

export const productLimits = {
  code: 32,
  lenderName: 64,
  mostCents: 10000000000,
  mostCities: 400,
  mostMonths: 600,
  mostPriceCents: 1000000,
  mostSort: 999999,
  mostTags: 10,
  name: 64,
  requirements: 2000,
  tag: 12,
} as const;

export const profileLimits = {
  introduction: 500,
  job: 64,
  location: 64,
} as const;

export const projectLimits = {
  contactName: 32,
  licenceNo: 18,
  mostLeads: 1000000,
  name: 64,
  note: 500,
  remark: 500,
} as const;

export const pushLimits = {
  upstreamNo: 200,
} as const;

export const receiptLimits = {
  mostCents: 10000000000,
  mostProofs: 5,
  payerName: 64,
  remark: 500,
} as const;

export const rechargeLimits = {
  mostCents: 10000000000,
  mostProofs: 5,
  remark: 500,
} as const;

export const roleLimits = {
  code: 32,
  mostSort: 9999,
  name: 32,
  nameEn: 64,
} as const;

export const rotationLimits = {
  longestOverlap: 720,
} as const;

export const ruleSetLimits = {
  mostDepth: 4,
  mostNodes: 50,
  mostValues: 200,
} as const;

export const salesLimits = {
  mostCities: 372,
} as const;

export const salespersonLimits = {
  jobNo: 32,
  mostHeld: 10000,
  mostLeads: 10000,
  mostWeight: 100,
  wechat: 64,
} as const;

export const scheduleLimits = {
  mostSpans: 24,
} as const;

export const statViewLimits = {
  name: 32,
} as const;

export const statementLimits = {
  note: 500,
} as const;

export const teamLimits = {
  address: 200,
  managerName: 32,
  mostLeads: 100000,
  mostSort: 9999,
  mostWeight: 100,
  name: 32,
} as const;

export const testLeadLimits = {
  ip: 64,
  name: 32,
  phone: 32,
} as const;

export const uploadLimits = {
  maxFile: 20971520,
} as const;

export const userLimits = {
  mostRecipients: 50,
  name: 32,
} as const;

export const wechatLimits = {
  aesKey: 43,
  appId: 32,
  appSecret: 32,
  longestText: 2048,
  name: 32,
  templateField: 32,
  templateId: 64,
  templateText: 20,
  token: 32,
} as const;
