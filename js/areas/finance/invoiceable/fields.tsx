/** The fields and filters of what can be invoiced. */
import type { InvoiceableRow } from "../../../lib/api-types";
import { invoiceableStateCodes } from "../../../lib/codes";
import { EMPTY, money } from "../../../lib/format";
import { formatQuery } from "../../../lib/query-string";
import { type Field, toPayee } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";
import { Tag } from "../../../ui/tag";

/** The invoices of an organisation and a payee. */
const invoicesOf = ({ id, payeeOrgId }: InvoiceableRow) => `/finance/invoice${formatQuery({ orgId: id, payeeOrgId })}`;

export const invoiceableFields: readonly Field<InvoiceableRow>[] = [
  { key: "orgName", title: "invoiceable.orgName", sort: true },
  { key: "payeeOrgName", title: "invoiceable.payeeOrgName", link: toPayee },
  { key: "spentCents", title: "invoiceable.spentCents", kind: "money", sort: true, total: true },
  {
    key: "invoicedCents",
    title: "invoiceable.invoicedCents",
    kind: "money",
    total: true,
    show: (row) => (
      <a className="ll-link" href={invoicesOf(row)}>
        {money(row.invoicedCents)}
      </a>
    ),
  },
  { key: "invoiceableCents", title: "invoiceable.invoiceableCents", kind: "money", total: true },
  { key: "refundedCents", title: "invoiceable.refundedCents", kind: "money", list: "hidden" },
  {
    key: "overCents",
    title: "invoiceable.overCents",
    kind: "money",
    show: (row) =>
      row.overCents === 0 ? (
        EMPTY
      ) : (
        <a className="ll-link" href={invoicesOf(row)}>
          <Tag color="red">{money(row.overCents)}</Tag>
        </a>
      ),
  },
];

export const invoiceableFilters: readonly Filter[] = [
  { name: "orgId", label: "invoiceable.orgName", kind: "select", options: { load: "orgs", search: "/org/options" } },
  { name: "payeeOrgId", label: "invoiceable.payeeOrgName", kind: "select", options: { load: "payees" } },
  { name: "state", label: "invoiceable.state", kind: "select", options: { codes: invoiceableStateCodes, labels: "InvoiceableState" } },
];
