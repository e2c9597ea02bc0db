/** What the audit trail calls the fields of every area: its records', and what else an area tells of a change. */
import type { Module } from "../../lib/api-types";
import type { MessageKey } from "../../lib/i18n";
import type { FieldTitles } from "../../ui/changes";
import type { Field } from "../../ui/field";
import type { Filter } from "../../ui/list-filter";
import { channelFields, channelFilters } from "../channel/fields";
import { customerFields, customerFilters } from "../chat/client-fields";
import { groupFields, groupFilters } from "../chat/group-fields";
import { staffFields, staffFilters } from "../chat/manage-fields";
import { replyFields, replyFilters } from "../chat/reply-fields";
import { wechatFields, wechatFilters, wechatTitles } from "../chat/wechat-fields";
import { achievementFields, achievementFilters, achievementTitles } from "../crm/achievement-fields";
import { moneyFields, moneyFilters, moneyTitles } from "../crm/money-fields";
import { clueFields, clueFilters, clueTitles } from "../crm/clue-fields";
import { poolFields, poolFilters } from "../crm/pool-setting-fields";
import { salespersonFields, salespersonFilters, salespersonTitles } from "../crm/salesperson-fields";
import { teamFields, teamFilters } from "../crm/team-fields";
import { statFilters, statTitles } from "../chart/stat-list";
import { financeFields, financeFilters, financeTitles } from "../finance/trail-fields";
import { orgFields, orgFilters, orgTitles } from "../org/fields";
import { payeeFields, payeeFilters } from "../org/payee-fields";
import { receiptFields, receiptFilters, receiptTitles } from "../org/receipt-fields";
import { paymentFields, paymentFilters, paymentTitles } from "../pay/trail-fields";
import { planFields, planFilters, planTitles, planTold } from "../plan/fields";
import { pushFields, pushFilters, pushTitles, pushTold } from "../plan/push-fields";
import { returnFields, returnTitles } from "../plan/return-fields";
import { productFields, productFilters } from "../product/fields";
import { projectFields, projectFilters } from "../project/fields";
import { blacklistFields, blacklistFilters, blacklistTitles } from "../user/black-list-fields";
import { feedbackFields, feedbackFilters, feedbackTitles } from "../user/feedback-fields";
import { userFilters, userHistoryFields } from "../user/fields";
import { matchFilters } from "../user/match-fields";
import { adminFields, adminFilters } from "./fields";
import { agreementFields, agreementFilters } from "./agreement-fields";
import { noticeFields, noticeFilters } from "./notice-fields";
import { roleFields, roleFilters, roleTitles } from "./role-fields";
import { smsFields, smsFilters } from "./sms-fields";
import { checkFields, checkFilters, ruleFilters, ruleFields } from "./test-fields";

interface Area {
  title: MessageKey;
  /** By which the values are read, too. */
  fields?: readonly Field<never>[];
  /** What no field of a record is called. */
  titles?: FieldTitles;
  /** Of its lists: the trail of an export tells them. */
  filters?: readonly Filter[];
}

/** What any area may tell: of files that come and go, and of whole numbers that were looked for. */
const everywhere: FieldTitles = {
  format: "ui.exportFormat", columns: "ui.exportColumns", rows: "logs.rows", sort: "logs.sort", sha256: "logs.sha256", started: "logs.started", ended: "logs.ended",
  good: "logs.good", duplicate: "logs.duplicate", wrong: "logs.wrong", keyword: "logs.keyword", version: "logs.version",
  revealLimit: "logs.revealLimit", plain: "logs.plain", plainReason: "logs.plainReason", revealed: "logs.revealed",
};

const file: FieldTitles = { name: "logs.file", title: "logs.file", type: "logs.fileType", size: "logs.fileSize", virus: "logs.virus", status: "account.exportStatus" };

const account: FieldTitles = {
  avatar: "account.avatar", job: "account.job", location: "account.location", introduction: "account.introduction", personalWebsite: "account.personalWebsite",
  phone: "admin.phone", password: "account.password", recoveryCodes: "factor.codes", session: "session.session", activeRole: "role.active",
  handedOver: "admin.handedOver", requeued: "admin.requeued",
};

const dictionary: FieldTitles = {
  code: "dict.code", nameZh: "dict.nameZh", nameEn: "dict.nameEn", remark: "dict.remark", typeCode: "dict.type", value: "dict.value",
  labelZh: "dict.labelZh", labelEn: "dict.labelEn", sort: "dict.sort", tagColor: "dict.tagColor", isDefault: "dict.isDefault", status: "dict.status",
};

const menu: FieldTitles = {
  name: "menu.name", title: "menu.name", titleZh: "menu.titleZh", titleEn: "menu.titleEn", icon: "menu.icon", sort: "menu.sort", externalUrl: "menu.externalUrl",
  hidden: "menu.hidden", enabled: "menu.enabled", everyone: "menu.everyone",
};

const conversation: FieldTitles = {
  groupName: "conversation.groupName", staffName: "conversation.staffName", status: "conversation.status", priority: "conversation.priority",
  snoozedUntil: "conversation.snoozedUntil", closeNote: "conversation.closeNote",
};

const areas: Readonly<Record<Module, Area>> = {
  blacklist: { title: "logs.module.blacklist", fields: blacklistFields, titles: blacklistTitles, filters: blacklistFilters },
  channel: { title: "logs.module.channel", fields: channelFields, titles: { appSecret: "channel.appSecret", testLead: "channel.test" }, filters: channelFilters },
  organisation: {
    title: "logs.module.organisation",
    fields: orgFields,
    titles: { ...orgTitles, ...Object.fromEntries(payeeFields.map(({ key, title }) => [key, title])), bankAccount: "payee.bankAccount" },
    filters: [...orgFilters, ...payeeFilters],
  },
  receipt: { title: "logs.module.receipt", fields: receiptFields, titles: receiptTitles, filters: receiptFilters },
  finance: { title: "logs.module.finance", fields: financeFields, titles: financeTitles, filters: financeFilters },
  payment: { title: "logs.module.payment", fields: paymentFields, titles: paymentTitles, filters: paymentFilters },
  plan: { title: "logs.module.plan", fields: [...planFields, ...planTold], titles: planTitles, filters: planFilters },
  push: { title: "logs.module.push", fields: [...pushFields, ...pushTold], titles: pushTitles, filters: pushFilters },
  return: { title: "logs.module.return", fields: returnFields, titles: returnTitles },
  clue: { title: "logs.module.clue", fields: clueFields, titles: clueTitles, filters: clueFilters },
  team: { title: "logs.module.team", fields: teamFields, filters: teamFilters },
  salesperson: { title: "logs.module.salesperson", fields: salespersonFields, titles: salespersonTitles, filters: salespersonFilters },
  cluePool: { title: "logs.module.cluePool", fields: poolFields, filters: poolFilters },
  chatGroup: { title: "logs.module.chatGroup", fields: groupFields, filters: groupFilters },
  chatStaff: { title: "logs.module.chatStaff", fields: staffFields, filters: staffFilters },
  chatReply: { title: "logs.module.chatReply", fields: replyFields, filters: replyFilters },
  chatWechat: { title: "logs.module.chatWechat", fields: wechatFields, titles: wechatTitles, filters: wechatFilters },
  chatCustomer: { title: "logs.module.chatCustomer", fields: customerFields, filters: customerFilters },
  conversation: { title: "logs.module.conversation", titles: conversation },
  product: { title: "logs.module.product", fields: productFields, filters: productFilters },
  user: { title: "logs.module.user", fields: userHistoryFields, titles: { name: "logs.file" }, filters: [...userFilters, ...matchFilters] },
  feedback: { title: "logs.module.feedback", fields: feedbackFields, titles: feedbackTitles, filters: feedbackFilters },
  clueMoney: { title: "logs.module.clueMoney", fields: moneyFields, titles: moneyTitles, filters: moneyFilters },
  statistics: { title: "logs.module.statistics", titles: statTitles, filters: statFilters },
  achievement: { title: "logs.module.achievement", fields: achievementFields, titles: achievementTitles, filters: achievementFilters },
  project: { title: "logs.module.project", fields: projectFields, filters: projectFilters },
  admin: { title: "logs.module.admin", fields: adminFields, titles: account, filters: adminFilters },
  session: { title: "logs.module.session", fields: adminFields, titles: account },
  role: { title: "logs.module.role", fields: roleFields, titles: roleTitles, filters: roleFilters },
  setting: { title: "logs.module.setting" },
  compliance: { title: "logs.module.compliance", fields: [...checkFields("zh-CN"), ...ruleFields("zh-CN")], filters: [...checkFilters, ...ruleFilters] },
  dictionary: { title: "logs.module.dictionary", titles: dictionary },
  agreement: { title: "logs.module.agreement", fields: agreementFields, filters: agreementFilters },
  menu: { title: "logs.module.menu", titles: menu },
  notice: { title: "logs.module.notice", fields: noticeFields, filters: noticeFilters },
  audit: { title: "logs.module.audit" },
  loginLog: { title: "logs.module.loginLog" },
  sms: { title: "logs.module.sms", fields: smsFields, filters: smsFilters },
  upload: { title: "logs.module.upload", titles: file },
  export: { title: "logs.module.export", titles: file },
};

/** The areas, in the order in which one chooses from them. */
export const modules = Object.keys(areas);

/** The fields of an area's records, by which the trail's names and values are read. */
export function fieldsOf(module: Module): readonly Field<never>[] {
  return areas[module].fields ?? [];
}

/** What the trail calls all else of an area. */
export function titlesOf(module: Module): FieldTitles {
  const { filters = [], titles } = areas[module];
  return { ...everywhere, ...Object.fromEntries(filters.flatMap(namesOf)), ...titles };
}

/** A filter of days goes over the wire as two. */
function namesOf({ name, label, kind }: Filter): [string, MessageKey][] {
  return kind === "days" ? [[`${name}From`, label], [`${name}To`, label]] : [[name, label]];
}
