/** /admin/audit: who changed what, when, from where. */
import type { Action, AuditRow, Module } from "../../lib/api-types";
import { EMPTY } from "../../lib/format";
import type { MessageKey, Translate } from "../../lib/i18n";
import { type FieldTitles, wordsOf } from "../../ui/changes";
import type { Field } from "../../ui/field";
import type { Filter } from "../../ui/list-filter";
import { type List, ListPage, type RowAction } from "../../ui/list-page";
import { channelFields } from "../channel/fields";
import { orgFields, orgTitles } from "../org/fields";
import { payeeFields } from "../org/payee-fields";
import { planFields, planTitles, planTold } from "../plan/fields";
import { productFields } from "../product/fields";
import { projectFields } from "../project/fields";
import { feedbackFields, feedbackTitles } from "../user/feedback-fields";
import { userHistoryFields } from "../user/fields";
import { blacklistFields } from "../user/black-list-fields";
import { adminFields } from "./fields";
import { noticeFields } from "./notice-fields";
import { roleFields, roleTitles } from "./role-fields";
import { smsFields } from "./sms-fields";

const actions: readonly Action[] = ["create", "update", "delete", "grant", "export", "download", "import", "search", "force_out", "reveal", "money", "other"];
const modules = Object.keys({
  blacklist: "logs.module.blacklist", feedback: "logs.module.feedback", channel: "logs.module.channel", organisation: "logs.module.organisation", receipt: "logs.module.receipt", product: "logs.module.product", plan: "logs.module.plan", user: "logs.module.user", project: "logs.module.project", admin: "logs.module.admin", role: "logs.module.role", setting: "logs.module.setting",
  compliance: "logs.module.compliance", dictionary: "logs.module.dictionary", menu: "logs.module.menu", notice: "logs.module.notice",
  session: "logs.module.session", audit: "logs.module.audit", loginLog: "logs.module.loginLog", sms: "logs.module.sms", upload: "logs.module.upload", export: "logs.module.export",
} satisfies Record<Module, MessageKey>);

/** The fields of an area's records, by which the trail's names and values are read. */
const fieldsOf: Readonly<Record<string, readonly Field<never>[]>> = { blacklist: blacklistFields, feedback: feedbackFields, channel: channelFields, organisation: orgFields, plan: [...planFields, ...planTold], product: productFields, user: userHistoryFields, project: projectFields, admin: adminFields, role: roleFields, session: adminFields, notice: noticeFields, sms: smsFields };
const titles: FieldTitles = {
  appSecret: "channel.appSecret", ownerAdminId: "channel.owner",
  titleZh: "menu.titleZh", titleEn: "menu.titleEn", icon: "menu.icon", sort: "menu.sort", externalUrl: "menu.externalUrl",
  hidden: "menu.hidden", enabled: "menu.enabled", everyone: "menu.everyone", session: "session.session", activeRole: "role.active",
  avatar: "account.avatar", job: "account.job", location: "account.location", introduction: "account.introduction", personalWebsite: "account.personalWebsite",
  ...Object.fromEntries(payeeFields.map(({ key, title }) => [key, title])),
  bankAccount: "payee.bankAccount",
  keyword: "logs.keyword", title: "logs.file", sha256: "logs.sha256", ended: "logs.ended", rows: "logs.rows", good: "logs.good", duplicate: "logs.duplicate", wrong: "logs.wrong",
  ...orgTitles,
  ...planTitles,
  ...feedbackTitles,
  ...roleTitles,
};

const fields: readonly Field<AuditRow>[] = [
  { key: "at", title: "logs.at", kind: "time", sort: true },
  { key: "adminName", title: "logs.who" },
  { key: "username", title: "admin.username", list: "hidden" },
  { key: "role", title: "admin.roles", list: "hidden" },
  { key: "module", title: "logs.module", kind: "enum", labels: "logs.module" },
  {
    key: "action", title: "logs.action", kind: "enum", labels: "ui.action",
    colors: { create: "green", update: "blue", delete: "red", grant: "purple", export: "orange", download: "orange", search: "orange", reveal: "orange", money: "red" },
  },
  { key: "targetId", title: "logs.target", kind: "code" },
  { key: "diff", title: "logs.diff", show: summary, detail: false },
  { key: "ip", title: "logs.ip", kind: "code" },
  { key: "requestId", title: "logs.request", kind: "code", list: "hidden" },
];

const filters: readonly Filter[] = [
  { name: "keyword", label: "logs.who", kind: "text", placeholder: "admin.keywordHint" },
  { name: "action", label: "logs.action", kind: "select", options: { codes: actions, labels: "ui.action" } },
  { name: "at", label: "logs.at", kind: "days" },
  { name: "module", label: "logs.module", kind: "select", options: { codes: modules, labels: "logs.module" } },
  { name: "targetId", label: "logs.target", kind: "text" },
  { name: "requestId", label: "logs.request", kind: "text" },
];

const actionsOfRow: readonly RowAction<AuditRow>[] = [{ label: "logs.view", point: "list", run: view }];

export default function AuditTrail() {
  return (
    <ListPage title="logs.auditTitle" empty="logs.auditEmpty" api="/audit" points="admin/audit" fields={fields} filters={filters} actions={actionsOfRow} />
  );
}

/** The first change, and how many more there are. */
function summary({ module, diff }: AuditRow, t: Translate) {
  const [first, ...rest] = diff;
  if (!first) return EMPTY;
  const { title, before, after } = wordsOf(first, fieldsOf[module] ?? [], t, titles);
  const more = rest.length > 0 ? ` ${t("logs.more", { count: rest.length })}` : "";
  return `${title}: ${before} → ${after}${more}`;
}

async function view(row: AuditRow, { open }: List) {
  const { AuditEntryDrawer } = await import("./audit-entry");
  await open((overlay) => (
    <AuditEntryDrawer overlay={overlay} row={row} fields={fields} changed={fieldsOf[row.module] ?? []} titles={titles} />
  ));
}
