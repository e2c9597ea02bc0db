/**
 * The titles of the fields of the payment area in the audit trail. The module has records of several kinds, and an entry does
 * not have its kind: a field that several kinds have has one title, and their statuses and kinds have the same labels.
 */
import type { AuditTrail } from "../../ui/audit-trail";
import type { FieldTitles } from "../../ui/changes";
import type { Field } from "../../ui/field";
import type { Filter } from "../../ui/list-filter";
import { payeeChannelFields, payeeChannelFilters, payeeChannelTitles } from "./channel/fields";
import { paymentDifferenceFields, paymentDifferenceFilters, paymentDifferenceTitles } from "./difference/fields";
import { paymentExceptionFields, paymentExceptionFilters, paymentExceptionTitles } from "./exception/fields";
import { paymentLinkFields, paymentLinkFilters, paymentLinkTitles } from "./link/fields";
import { paymentOrderFields, paymentOrderFilters, paymentOrderTitles } from "./order/fields";
import { paymentRefundFields, paymentRefundFilters, paymentRefundTitles } from "./refund/fields";
import { paymentReportFields, paymentReportFilters, paymentReportTitles } from "./report/fields";
import { paymentStatementFields, paymentStatementFilters } from "./statement/fields";

const common: readonly Field<{ no: string; amountCents: number; status: string; kind: string; expiresAt: number }>[] = [
  { key: "no", title: "payTrail.no", kind: "code" },
  { key: "amountCents", title: "payTrail.amountCents", kind: "money" },
  { key: "status", title: "payTrail.status", kind: "enum", labels: "payTrail.status" },
  { key: "kind", title: "payTrail.kind", kind: "enum", labels: "payTrail.kind" },
  { key: "expiresAt", title: "payTrail.expiresAt", kind: "time" },
];

const fields: readonly Field<never>[] = [
  ...common,
  ...paymentOrderFields,
  ...paymentRefundFields,
  ...paymentExceptionFields,
  ...payeeChannelFields,
  ...paymentLinkFields,
  ...paymentStatementFields,
  ...paymentDifferenceFields,
  ...paymentReportFields,
];

const filters: readonly Filter[] = [
  ...paymentOrderFilters,
  ...paymentRefundFilters,
  ...paymentExceptionFilters,
  ...payeeChannelFilters,
  ...paymentLinkFilters,
  ...paymentStatementFilters,
  ...paymentDifferenceFilters,
  ...paymentReportFilters,
];

const titles: FieldTitles = {
  ...paymentOrderTitles,
  ...paymentExceptionTitles,
  ...payeeChannelTitles,
  ...paymentLinkTitles,
  ...paymentDifferenceTitles,
  ...paymentReportTitles,
  ...paymentRefundTitles,
};

export const trail: AuditTrail = { module: "payment", fields, titles, filters };
