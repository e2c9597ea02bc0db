/** The fields and filters of days' statements, for their list, detail, history and the audit trail. */
import type { PaymentStatementRow } from "../../../lib/api-types";
import { statementDayStatusCodes } from "../../../lib/codes";
import { count, EMPTY } from "../../../lib/format";
import { type Field, toPayee, toPayeeChannel } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";
import { reviewers } from "../../../ui/waits-for";

export const paymentStatementFields: readonly Field<PaymentStatementRow>[] = [
  { key: "day", title: "paymentStatement.day", kind: "code", sort: true },
  { key: "payeeChannelName", title: "paymentStatement.payeeChannelName", short: true, link: toPayeeChannel },
  { key: "payeeOrgName", title: "paymentStatement.payeeOrgName", list: "hidden", link: toPayee },
  { key: "ourCount", title: "paymentStatement.ourCount", kind: "count", list: "hidden" },
  { key: "ourCents", title: "paymentStatement.ourCents", kind: "money" },
  { key: "theirCount", title: "paymentStatement.theirCount", kind: "count", list: "hidden" },
  { key: "theirCents", title: "paymentStatement.theirCents", kind: "money" },
  { key: "matchedCount", title: "paymentStatement.matchedCount", kind: "count" },
  {
    key: "openCount",
    title: "paymentStatement.openCount",
    kind: "count",
    // 0 has no link.
    show: ({ id, openCount }) =>
      openCount === 0 ? (
        count(openCount)
      ) : (
        <a className="ll-link" href={`/payConfig/order-list/differences?paymentStatementId=${id}&status=open`}>
          {count(openCount)}
        </a>
      ),
  },
  {
    key: "status",
    title: "paymentStatement.status",
    kind: "enum",
    labels: "StatementDayStatus",
    sort: true,
    colors: { open: "orange", closed: "green" },
  },
  {
    // The person who requested to close the day and may not approve that.
    key: "decision",
    title: "paymentStatement.decision",
    short: true,
    file: false,
    show: ({ decision, status }, t) =>
      decision && status === "open" ? reviewers(decision, t, t("paymentStatement.waitsFor", { names: decision.makerNames })) : EMPTY,
  },
  { key: "fileName", title: "paymentStatement.fileName", short: true, list: "hidden" },
  { key: "importerName", title: "paymentStatement.importerName", list: "hidden" },
  { key: "closerName", title: "paymentStatement.closerName", list: "hidden" },
  { key: "closedAt", title: "paymentStatement.closedAt", kind: "time", list: "hidden" },
  { key: "updatedAt", title: "paymentStatement.updatedAt", kind: "time", list: "hidden" },
];

export const paymentStatementFilters: readonly Filter[] = [
  { name: "payeeChannelId", label: "paymentStatement.payeeChannelName", kind: "select", options: { load: "channels" } },
  {
    name: "status",
    label: "paymentStatement.status",
    kind: "select",
    options: { codes: statementDayStatusCodes, labels: "StatementDayStatus" },
  },
  { name: "awaits", label: "paymentStatement.awaits", kind: "select", options: { codes: ["decision"], labels: "paymentStatement.awaits" } },
];
