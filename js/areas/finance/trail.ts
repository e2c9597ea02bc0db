/**
 * The titles of the fields of the finance area in the audit trail. The module has records of several kinds, and an entry does
 * not have its kind: a field that several kinds have has one title, and their statuses have the same labels.
 */
import type { AuditTrail } from "../../ui/audit-trail";
import type { Field } from "../../ui/field";
import type { FieldTitles } from "../../ui/changes";
import type { Filter } from "../../ui/list-filter";
import { accountFields, accountFilters } from "./account/fields";
import { adjustmentFields, adjustmentFilters } from "./adjustment/fields";
import { entryFields, entryFilters } from "./entry/fields";
import { invoiceFields, invoiceFilters, invoiceTitles } from "./invoice/fields";
import { partnerAdjustmentFields, partnerAdjustmentFilters } from "./partner-adjustment/fields";
import { partnerItemFields, partnerItemFilters } from "./partner-item/fields";
import { partnerStatementFields, partnerStatementFilters, partnerStatementTitles } from "./partner-statement/fields";
import { payoutFields, payoutFilters } from "./payout/fields";
import { rechargeFields, rechargeFilters, rechargeTitles } from "./recharge/fields";
import { statementFields, statementFilters } from "./statement/fields";

const common: readonly Field<{ no: string; amountCents: number; status: string; kind: string; proofFiles: string }>[] = [
  { key: "no", title: "finance.no", kind: "code" },
  { key: "amountCents", title: "finance.amountCents", kind: "money" },
  { key: "status", title: "finance.status", kind: "enum", labels: "finance.status" },
  { key: "kind", title: "finance.kind", kind: "enum", labels: "finance.kind" },
  { key: "proofFiles", title: "finance.proofFiles" },
];

const fields: readonly Field<never>[] = [
  ...common,
  ...rechargeFields,
  ...accountFields,
  ...adjustmentFields,
  ...statementFields,
  ...entryFields,
  ...invoiceFields,
  ...partnerStatementFields,
  ...partnerItemFields,
  ...partnerAdjustmentFields,
  ...payoutFields,
];

const filters: readonly Filter[] = [
  ...rechargeFilters,
  ...accountFilters,
  ...adjustmentFilters,
  ...statementFilters,
  ...entryFilters,
  ...invoiceFilters,
  ...partnerStatementFilters,
  ...partnerItemFilters,
  ...partnerAdjustmentFilters,
  ...payoutFilters,
];

const titles: FieldTitles = { ...rechargeTitles, ...invoiceTitles, ...partnerStatementTitles, sealedAccounts: "finance.sealedAccounts" };

export const trail: AuditTrail = { module: "finance", fields, titles, filters };
