/** Codes and allowed steps of enumerations, written by `make types` from the `codes!` blocks of the crates. */
import type { AccountHolds, AccountPart, AccountStatus, AchievementMetric, AchievementObject, Action, AdjustmentStatus, AdminStatus, AgreementState, ApplyMode, AssignMode, AuthStatus, BillMode, BlacklistKind, BlacklistScope, BlacklistSource, BlacklistStatus, CallbackStatus, ChannelMode, ChannelStatus, ChannelType, ChatDirection, ChatMessageKind, ChatPresence, CheckResult, ClueDue, ClueHolder, ClueLevel, ClueReached, ClueReclaim, ClueStage, ClueState, ClueText, ConsentState, ConversationStatus, CustomerSource, CustomerStatus, DedupScope, DeliverMode, DeliveryReason, DeliveryState, DeliveryStatus, DictStatus, DifferenceKind, DifferenceStatus, EntryKind, ExceptionKind, ExceptionResolution, ExceptionStatus, FeedbackSource, FollowResult, FollowType, HandleStatus, InvalidReason, InvoiceColor, InvoiceKind, InvoiceStatus, InvoiceTitleType, InvoiceableState, JournalAccount, KeywordMatch, KnownBy, LoginResult, MatchStatus, Module, MoneyDirection, MoneyStatus, MoneyType, NoticeScope, OrderBiz, OrderStatus, OrgCrypto, OrgMode, OrgStatus, OrgType, OutOfSchedule, OwnerWay, PartnerAdjustmentStatus, PartnerItemKind, PartnerStatementStatus, PartnerType, PassedOver, PauseReason, PayMethod, PayProvider, PayeeChannelStatus, PayeeStatus, PaymentLinkStatus, PayoutStatus, PhoneState, PlanStatus, ProductCategory, ProductStatus, ProjectStage, ProjectStatus, PushStatus, ReceiptStatus, ReceiptType, RechargeStatus, RefundStatus, ReplyKind, ReturnStatus, ReturnsBy, RoleStatus, RuleKind, RuleStatus, SaleMode, SalesEmployed, SalesLevel, SalesReceiving, SalesStatus, SettingGroup, SettleMode, Severity, SmsKind, SmsState, SmsWay, StatRange, StatementDayStatus, StatementStatus, TargetType, TransferStatus, UseStatus, UserCheck, UserStatus, WithdrawnVia } from "./api-types";

export const accountHoldsCodes: readonly AccountHolds[] = ["owes", "nothing", "gifts", "on_hold", "low"];

export const accountPartCodes: readonly AccountPart[] = ["paid", "gift"];

export const accountStatusCodes: readonly AccountStatus[] = ["normal", "frozen"];
export const accountStatusSteps: Readonly<Record<AccountStatus, readonly AccountStatus[]>> = {
  normal: ["frozen"],
  frozen: ["normal"],
};

export const achievementMetricCodes: readonly AchievementMetric[] = ["loan_amount", "fee_received", "signed", "visits"];

export const achievementObjectCodes: readonly AchievementObject[] = ["company", "team", "person"];

export const actionCodes: readonly Action[] = ["create", "update", "delete", "grant", "export", "download", "import", "search", "force_out", "reveal", "money", "other"];

export const adjustmentStatusCodes: readonly AdjustmentStatus[] = ["pending", "approved", "rejected", "withdrawn"];
export const adjustmentStatusSteps: Readonly<Record<AdjustmentStatus, readonly AdjustmentStatus[]>> = {
  pending: ["approved", "rejected", "withdrawn"],
  approved: [],
  rejected: [],
  withdrawn: [],
};

export const adminStatusCodes: readonly AdminStatus[] = ["disabled", "enabled", "locked"];

export const agreementStateCodes: readonly AgreementState[] = ["waiting", "valid", "ended"];

export const applyModeCodes: readonly ApplyMode[] = ["jump", "api", "lead", "download"];

export const assignModeCodes: readonly AssignMode[] = ["round_robin", "least_busy", "manual"];

export const authStatusCodes: readonly AuthStatus[] = ["waiting", "authorised", "declined", "expired"];

export const billModeCodes: readonly BillMode[] = ["prepaid", "credit"];

export const blacklistKindCodes: readonly BlacklistKind[] = ["phone", "id_no", "ip", "device"];

export const blacklistScopeCodes: readonly BlacklistScope[] = ["global", "channel", "organisation"];

export const blacklistSourceCodes: readonly BlacklistSource[] = ["manual", "import", "complaint", "risk", "opt_out"];

export const blacklistStatusCodes: readonly BlacklistStatus[] = ["active", "lifted"];
export const blacklistStatusSteps: Readonly<Record<BlacklistStatus, readonly BlacklistStatus[]>> = {
  active: ["lifted"],
  lifted: ["active"],
};

export const callbackStatusCodes: readonly CallbackStatus[] = ["none", "waiting", "sent", "failed", "unconfirmed", "given_up"];

export const channelModeCodes: readonly ChannelMode[] = ["test", "live"];

export const channelStatusCodes: readonly ChannelStatus[] = ["disabled", "enabled", "paused"];
export const channelStatusSteps: Readonly<Record<ChannelStatus, readonly ChannelStatus[]>> = {
  disabled: ["enabled"],
  enabled: ["paused", "disabled"],
  paused: ["enabled", "disabled"],
};

export const channelTypeCodes: readonly ChannelType[] = ["ads", "h5", "api", "sms", "organic", "other"];

export const chatDirectionCodes: readonly ChatDirection[] = ["in", "out", "system", "note"];

export const chatMessageKindCodes: readonly ChatMessageKind[] = ["text", "image", "file"];

export const chatPresenceCodes: readonly ChatPresence[] = ["online", "busy", "offline"];

export const checkResultCodes: readonly CheckResult[] = ["pass", "warn", "fail", "unchecked"];

export const clueDueCodes: readonly ClueDue[] = ["overdue", "today", "week", "none"];

export const clueHolderCodes: readonly ClueHolder[] = ["owned", "pool"];

export const clueLevelCodes: readonly ClueLevel[] = ["a", "b", "c", "d"];

export const clueReachedCodes: readonly ClueReached[] = ["contacted", "visited", "signed", "disbursed"];

export const clueReclaimCodes: readonly ClueReclaim[] = ["soon"];

export const clueStageCodes: readonly ClueStage[] = ["new", "following", "appointment", "visited", "signed", "submitted", "approved", "disbursed", "invalid", "lost"];
export const clueStageSteps: Readonly<Record<ClueStage, readonly ClueStage[]>> = {
  new: ["following", "appointment", "visited", "signed", "submitted", "approved", "disbursed", "invalid", "lost"],
  following: ["appointment", "visited", "signed", "submitted", "approved", "disbursed", "invalid", "lost"],
  appointment: ["following", "visited", "signed", "submitted", "approved", "disbursed", "invalid", "lost"],
  visited: ["appointment", "signed", "submitted", "approved", "disbursed", "invalid", "lost"],
  signed: ["visited", "submitted", "approved", "disbursed", "invalid", "lost"],
  submitted: ["signed", "approved", "disbursed", "invalid", "lost"],
  approved: ["submitted", "disbursed", "invalid", "lost"],
  disbursed: ["approved"],
  invalid: ["new"],
  lost: ["new"],
};

export const clueStateCodes: readonly ClueState[] = ["open", "closed"];

export const clueTextCodes: readonly ClueText[] = ["greeting", "missed", "appointment"];

export const consentStateCodes: readonly ConsentState[] = ["given", "withdrawn"];

export const conversationStatusCodes: readonly ConversationStatus[] = ["queued", "open", "snoozed", "resolved"];
export const conversationStatusSteps: Readonly<Record<ConversationStatus, readonly ConversationStatus[]>> = {
  queued: ["open", "snoozed", "resolved"],
  open: ["queued", "snoozed", "resolved"],
  snoozed: ["open", "queued", "resolved"],
  resolved: ["open", "queued"],
};

export const customerSourceCodes: readonly CustomerSource[] = ["web", "official_account"];

export const customerStatusCodes: readonly CustomerStatus[] = ["active", "blocked", "erased"];
export const customerStatusSteps: Readonly<Record<CustomerStatus, readonly CustomerStatus[]>> = {
  active: ["blocked"],
  blocked: ["active"],
  erased: [],
};

export const dedupScopeCodes: readonly DedupScope[] = ["channel", "site"];

export const deliverModeCodes: readonly DeliverMode[] = ["back_office", "api", "sms", "crm"];

export const deliveryReasonCodes: readonly DeliveryReason[] = ["window", "count", "unfollowed", "too_long", "file", "disabled", "refused", "unreachable", "no_answer", "interrupted", "restored"];

export const deliveryStateCodes: readonly DeliveryState[] = ["waiting", "sending", "sent", "failed", "unknown"];

export const deliveryStatusCodes: readonly DeliveryStatus[] = ["enabled", "disabled"];

export const dictStatusCodes: readonly DictStatus[] = ["enabled", "disabled"];

export const differenceKindCodes: readonly DifferenceKind[] = ["ours_only", "theirs_only", "amount"];

export const differenceStatusCodes: readonly DifferenceStatus[] = ["open", "settled"];
export const differenceStatusSteps: Readonly<Record<DifferenceStatus, readonly DifferenceStatus[]>> = {
  open: ["settled"],
  settled: [],
};

export const entryKindCodes: readonly EntryKind[] = ["recharge", "gift", "lead_sale", "refund", "adjust_up", "adjust_down", "reversal", "visit_charge"];

export const exceptionKindCodes: readonly ExceptionKind[] = ["late", "amount", "currency", "twice", "unknown_order", "ended_clue", "paid_and_refunded", "already_entered", "refund", "refund_stuck"];

export const exceptionResolutionCodes: readonly ExceptionResolution[] = ["accepted", "handled"];

export const exceptionStatusCodes: readonly ExceptionStatus[] = ["open", "settled"];
export const exceptionStatusSteps: Readonly<Record<ExceptionStatus, readonly ExceptionStatus[]>> = {
  open: ["settled"],
  settled: [],
};

export const feedbackSourceCodes: readonly FeedbackSource[] = ["buyer", "staff", "applicant"];

export const followResultCodes: readonly FollowResult[] = ["reached", "no_answer", "dead_number", "refused", "added"];

export const followTypeCodes: readonly FollowType[] = ["call", "wechat", "sms", "visit", "other"];

export const handleStatusCodes: readonly HandleStatus[] = ["open", "in_progress", "done", "closed"];

export const invalidReasonCodes: readonly InvalidReason[] = ["wrong_number", "wrong_person", "no_demand", "false_data", "other"];

export const invoiceColorCodes: readonly InvoiceColor[] = ["blue", "red"];

export const invoiceKindCodes: readonly InvoiceKind[] = ["plain", "special", "electronic"];

export const invoiceStatusCodes: readonly InvoiceStatus[] = ["waiting", "approved", "refused", "issued", "sent", "void", "withdrawn"];
export const invoiceStatusSteps: Readonly<Record<InvoiceStatus, readonly InvoiceStatus[]>> = {
  waiting: ["approved", "refused", "withdrawn"],
  approved: ["issued", "refused"],
  refused: [],
  issued: ["sent", "void"],
  sent: ["void"],
  void: [],
  withdrawn: [],
};

export const invoiceTitleTypeCodes: readonly InvoiceTitleType[] = ["company", "person"];

export const invoiceableStateCodes: readonly InvoiceableState[] = ["open", "over"];

export const journalAccountCodes: readonly JournalAccount[] = ["org_paid", "org_gift", "cash", "clearing", "provider_fees", "lead_revenue", "service_fees", "other_income", "gifts_given", "adjustments", "refunds_on_way", "suspense", "channel_payable", "channel_cost", "tax_withheld", "visit_revenue"];

export const keywordMatchCodes: readonly KeywordMatch[] = ["contains", "exact"];

export const knownByCodes: readonly KnownBy[] = ["notice", "confirmed", "query", "staff"];

export const loginResultCodes: readonly LoginResult[] = ["ok", "wrong", "confirmed", "unlocked", "denied", "outside"];

export const matchStatusCodes: readonly MatchStatus[] = ["matched", "exists", "not_qualified", "no_plan", "capped", "timeout", "error"];

export const moduleCodes: readonly Module[] = ["blacklist", "channel", "organisation", "receipt", "finance", "payment", "plan", "push", "return", "clue", "team", "salesperson", "cluePool", "chatGroup", "chatStaff", "chatReply", "chatWechat", "chatCustomer", "conversation", "product", "user", "feedback", "clueMoney", "statistics", "achievement", "project", "admin", "session", "role", "setting", "compliance", "dictionary", "agreement", "menu", "notice", "audit", "loginLog", "sms", "upload", "export"];

export const moneyDirectionCodes: readonly MoneyDirection[] = ["payment", "refund"];

export const moneyStatusCodes: readonly MoneyStatus[] = ["pending", "confirmed", "rejected", "void"];
export const moneyStatusSteps: Readonly<Record<MoneyStatus, readonly MoneyStatus[]>> = {
  pending: ["confirmed", "rejected"],
  confirmed: ["void"],
  rejected: [],
  void: [],
};

export const moneyTypeCodes: readonly MoneyType[] = ["service", "deposit", "refund", "other"];

export const noticeScopeCodes: readonly NoticeScope[] = ["all", "role", "organisation"];

export const orderBizCodes: readonly OrderBiz[] = ["recharge", "service_fee", "other"];

export const orderStatusCodes: readonly OrderStatus[] = ["created", "paying", "success", "failed", "cancelled", "closed", "part_refunded", "refunded"];
export const orderStatusSteps: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  created: ["paying", "success", "failed", "cancelled", "closed"],
  paying: ["success", "failed", "cancelled", "closed"],
  success: ["part_refunded", "refunded"],
  failed: ["success"],
  cancelled: ["success"],
  closed: ["success"],
  part_refunded: ["refunded"],
  refunded: [],
};

export const orgCryptoCodes: readonly OrgCrypto[] = ["none", "aes", "rsa_aes"];

export const orgModeCodes: readonly OrgMode[] = ["test", "live"];

export const orgStatusCodes: readonly OrgStatus[] = ["pending", "active", "paused", "terminated"];
export const orgStatusSteps: Readonly<Record<OrgStatus, readonly OrgStatus[]>> = {
  pending: ["active"],
  active: ["paused"],
  paused: ["active", "terminated"],
  terminated: [],
};

export const orgTypeCodes: readonly OrgType[] = ["bank", "consumer_finance", "micro_loan", "broker", "other"];

export const outOfScheduleCodes: readonly OutOfSchedule[] = ["skip", "hold"];

export const ownerWayCodes: readonly OwnerWay[] = ["auto", "assign", "claim", "transfer", "reclaim", "release", "leave"];

export const partnerAdjustmentStatusCodes: readonly PartnerAdjustmentStatus[] = ["pending", "approved", "rejected", "withdrawn"];
export const partnerAdjustmentStatusSteps: Readonly<Record<PartnerAdjustmentStatus, readonly PartnerAdjustmentStatus[]>> = {
  pending: ["approved", "rejected", "withdrawn"],
  approved: [],
  rejected: [],
  withdrawn: [],
};

export const partnerItemKindCodes: readonly PartnerItemKind[] = ["visit", "registered", "sold", "share", "returned", "share_back", "adjust"];

export const partnerStatementStatusCodes: readonly PartnerStatementStatus[] = ["draft", "sent", "confirmed", "disputed"];
export const partnerStatementStatusSteps: Readonly<Record<PartnerStatementStatus, readonly PartnerStatementStatus[]>> = {
  draft: ["sent", "confirmed"],
  sent: ["draft", "sent", "confirmed", "disputed"],
  confirmed: [],
  disputed: ["sent", "confirmed"],
};

export const partnerTypeCodes: readonly PartnerType[] = ["channel", "organisation"];

export const passedOverCodes: readonly PassedOver[] = ["not_started", "over", "closed", "waiting", "capped", "organisation", "licence", "delivery", "product", "product_city", "product_rules", "balance", "mode", "channel", "city", "rules", "consent", "duplicate", "blacklist", "declined", "no_answer", "changed", "enough"];

export const pauseReasonCodes: readonly PauseReason[] = ["manual", "no_balance", "expired", "api_errors", "licence"];

export const payMethodCodes: readonly PayMethod[] = ["bank", "wechat", "alipay", "cash", "online"];

export const payProviderCodes: readonly PayProvider[] = ["wechat", "alipay", "unionpay", "bank", "link_pool"];

export const payeeChannelStatusCodes: readonly PayeeChannelStatus[] = ["enabled", "disabled"];

export const payeeStatusCodes: readonly PayeeStatus[] = ["enabled", "disabled"];

export const paymentLinkStatusCodes: readonly PaymentLinkStatus[] = ["proposed", "free", "reserved", "used", "invalid", "disabled"];
export const paymentLinkStatusSteps: Readonly<Record<PaymentLinkStatus, readonly PaymentLinkStatus[]>> = {
  proposed: [],
  free: ["invalid", "disabled"],
  reserved: [],
  used: [],
  invalid: [],
  disabled: ["free", "invalid"],
};

export const payoutStatusCodes: readonly PayoutStatus[] = ["waiting", "approved", "refused", "paid", "failed", "withdrawn", "returned"];
export const payoutStatusSteps: Readonly<Record<PayoutStatus, readonly PayoutStatus[]>> = {
  waiting: ["approved", "refused", "withdrawn"],
  approved: ["paid", "failed"],
  refused: [],
  paid: ["returned"],
  failed: [],
  withdrawn: [],
  returned: [],
};

export const phoneStateCodes: readonly PhoneState[] = ["unverified", "verified"];

export const planStatusCodes: readonly PlanStatus[] = ["draft", "pending", "running", "paused", "ended", "rejected"];
export const planStatusSteps: Readonly<Record<PlanStatus, readonly PlanStatus[]>> = {
  draft: ["pending"],
  pending: [],
  running: ["paused", "ended"],
  paused: ["running", "ended"],
  ended: [],
  rejected: ["draft"],
};

export const productCategoryCodes: readonly ProductCategory[] = ["credit", "mortgage", "car", "business", "fund", "policy"];

export const productStatusCodes: readonly ProductStatus[] = ["draft", "online", "offline", "archived"];
export const productStatusSteps: Readonly<Record<ProductStatus, readonly ProductStatus[]>> = {
  draft: ["online"],
  online: ["offline"],
  offline: ["online", "archived"],
  archived: [],
};

export const projectStageCodes: readonly ProjectStage[] = ["application", "review", "certificate", "safety_test", "launch"];

export const projectStatusCodes: readonly ProjectStatus[] = ["draft", "submitted", "returned", "launched", "withdrawn"];

export const pushStatusCodes: readonly PushStatus[] = ["queued", "sending", "accepted", "rejected", "duplicate", "failed", "retrying", "unconfirmed", "returned", "cancelled"];

export const receiptStatusCodes: readonly ReceiptStatus[] = ["waiting", "confirmed", "rejected", "void"];
export const receiptStatusSteps: Readonly<Record<ReceiptStatus, readonly ReceiptStatus[]>> = {
  waiting: ["confirmed", "rejected"],
  confirmed: ["void"],
  rejected: [],
  void: [],
};

export const receiptTypeCodes: readonly ReceiptType[] = ["recharge", "settlement", "other"];

export const rechargeStatusCodes: readonly RechargeStatus[] = ["pending", "credited", "rejected", "cancelled", "reversed"];
export const rechargeStatusSteps: Readonly<Record<RechargeStatus, readonly RechargeStatus[]>> = {
  pending: ["credited", "rejected", "cancelled"],
  credited: ["reversed"],
  rejected: [],
  cancelled: [],
  reversed: [],
};

export const refundStatusCodes: readonly RefundStatus[] = ["pending", "processing", "success", "failed", "rejected", "withdrawn"];
export const refundStatusSteps: Readonly<Record<RefundStatus, readonly RefundStatus[]>> = {
  pending: ["processing", "success", "rejected", "withdrawn"],
  processing: ["success", "failed"],
  success: [],
  failed: [],
  rejected: [],
  withdrawn: [],
};

export const replyKindCodes: readonly ReplyKind[] = ["welcome", "keyword", "default", "off_hours", "quick"];

export const returnStatusCodes: readonly ReturnStatus[] = ["pending", "approved", "refused", "withdrawn"];

export const returnsByCodes: readonly ReturnsBy[] = ["sale", "decision"];

export const roleStatusCodes: readonly RoleStatus[] = ["disabled", "enabled"];

export const ruleKindCodes: readonly RuleKind[] = ["required", "not_expired", "forbidden_words", "annual_rate", "public_https", "versioned", "named_recipients", "masked"];

export const ruleStatusCodes: readonly RuleStatus[] = ["enabled", "disabled"];

export const saleModeCodes: readonly SaleMode[] = ["exclusive", "shared"];

export const salesEmployedCodes: readonly SalesEmployed[] = ["yes"];

export const salesLevelCodes: readonly SalesLevel[] = ["junior", "middle", "senior", "lead"];

export const salesReceivingCodes: readonly SalesReceiving[] = ["on", "off"];

export const salesStatusCodes: readonly SalesStatus[] = ["active", "away", "left"];
export const salesStatusSteps: Readonly<Record<SalesStatus, readonly SalesStatus[]>> = {
  active: ["away", "left"],
  away: ["active", "left"],
  left: ["active"],
};

export const settingGroupCodes: readonly SettingGroup[] = ["security", "session", "lead", "crm", "chat", "push", "risk", "finance", "sms", "export", "compliance", "visit", "message"];

export const settleModeCodes: readonly SettleMode[] = ["none", "uv", "registered", "accepted_lead", "share"];

export const severityCodes: readonly Severity[] = ["fail", "warn"];

export const smsKindCodes: readonly SmsKind[] = ["code", "new_lead", "low_balance", "clue_greeting", "clue_missed", "clue_appointment", "test"];

export const smsStateCodes: readonly SmsState[] = ["waiting", "accepted", "delivered", "undelivered", "failed", "unconfirmed", "expired", "given_up"];

export const smsWayCodes: readonly SmsWay[] = ["provider", "file", "clear_file"];

export const statRangeCodes: readonly StatRange[] = ["today", "yesterday", "week", "days30", "month", "last_month"];

export const statementDayStatusCodes: readonly StatementDayStatus[] = ["open", "closed"];
export const statementDayStatusSteps: Readonly<Record<StatementDayStatus, readonly StatementDayStatus[]>> = {
  open: ["closed"],
  closed: [],
};

export const statementStatusCodes: readonly StatementStatus[] = ["draft", "sent", "confirmed", "disputed"];
export const statementStatusSteps: Readonly<Record<StatementStatus, readonly StatementStatus[]>> = {
  draft: ["sent"],
  sent: ["confirmed", "disputed"],
  confirmed: [],
  disputed: ["sent"],
};

export const targetTypeCodes: readonly TargetType[] = ["channel", "organisation", "plan", "product", "script", "consent"];

export const transferStatusCodes: readonly TransferStatus[] = ["pending", "posted", "void"];
export const transferStatusSteps: Readonly<Record<TransferStatus, readonly TransferStatus[]>> = {
  pending: ["posted", "void"],
  posted: [],
  void: [],
};

export const useStatusCodes: readonly UseStatus[] = ["enabled", "disabled"];
export const useStatusSteps: Readonly<Record<UseStatus, readonly UseStatus[]>> = {
  enabled: ["disabled"],
  disabled: ["enabled"],
};

export const userCheckCodes: readonly UserCheck[] = ["authentication", "status", "repeated", "fields", "consent", "blacklist", "filters", "dedup", "caps"];

export const userStatusCodes: readonly UserStatus[] = ["registered", "completed", "matching", "distributed", "unmatched", "duplicate", "blocked", "invalid", "erased"];

export const withdrawnViaCodes: readonly WithdrawnVia[] = ["staff", "channel"];
