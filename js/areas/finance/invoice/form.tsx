/** The forms of an invoice: the request, the issued invoice, and how it was sent. A lazy chunk. */
import type { ReactNode } from "react";
import * as z from "zod/mini";

import type { InvoiceableRow, InvoiceRow, Page, SelectOption } from "../../../lib/api-types";
import { ApiError, api } from "../../../lib/api";
import { invoiceKindCodes, invoiceTitleTypeCodes } from "../../../lib/codes";
import { money, today } from "../../../lib/format";
import type { Translate } from "../../../lib/i18n";
import { invoiceLimits } from "../../../lib/limits";
import { MAX_PAGE_SIZE } from "../../../lib/list-query";
import { unmergeable } from "../../../ui/conflict";
import { Description } from "../../../ui/description";
import { labelOf } from "../../../ui/field";
import type { Choice, Form, FormSection, Inputs } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import { currentOf } from "../../../ui/form-state";
import type { Overlay } from "../../../ui/overlay";
import { invoiceFields } from "./fields";

const TAX_NO = /^[A-Z\d]{15,}$/;
const ACCOUNT = /^[\d ]+$/;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const CODE = /^\d{10,}$/;
const NUMBER = /^\d{8,}$/;
const DAY = /^\d{4}-\d\d-\d\d$/;

/** The balances of an organisation that can be invoiced, by payee. */
const invoiceablesOf = async (orgId: string | number) =>
  (await api.post<Page<InvoiceableRow>>("/finance/invoiceable/page", { orgId, pageSize: MAX_PAGE_SIZE })).list;

/** The balance to invoice, if there is only one. */
export async function onlyChoice([org, ...others]: readonly SelectOption[]): Promise<InvoiceableRow | undefined> {
  if (!org || others.length > 0) return undefined;
  const [first, ...rest] = (await invoiceablesOf(org.value)).filter(({ invoiceableCents }) => invoiceableCents > 0);
  return rest.length === 0 ? first : undefined;
}

const isCompany = ({ titleType }: Inputs) => titleType === "company";
const isSpecial = ({ kind }: Inputs) => kind === "special";
const isPaper = ({ kind }: Inputs) => kind !== "electronic";

/** The required fields depend on the kind of the invoice and of its title; the other fields are not checked. */
export function invoiceSchema(t: Translate) {
  const rule = rules(t);
  const common = {
    orgId: rule.id(),
    payeeOrgId: rule.id(),
    title: rule.text(invoiceLimits.title),
    amountCents: rule.money(invoiceLimits.mostCents).check(z.refine((cents) => cents > 0, t("invoice.amountNeeded"))),
    content: rule.text(invoiceLimits.content),
    remark: rule.note(invoiceLimits.remark),
  };
  const receiver = {
    receiverName: rule.text(invoiceLimits.receiverName),
    receiverPhone: rule.phone(),
    receiverAddress: rule.text(invoiceLimits.receiverAddress),
  };
  const ofKind = z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("plain"), ...common, ...receiver }),
    z.object({
      kind: z.literal("special"),
      titleType: z.literal("company", t("invoice.companyOnly")),
      bank: rule.text(invoiceLimits.specialField),
      bankAccount: rule.text(invoiceLimits.specialField, ACCOUNT, t("invoice.accountWrong")),
      regAddress: rule.text(invoiceLimits.specialField),
      regPhone: rule.text(invoiceLimits.specialField),
      ...common,
      ...receiver,
    }),
    z.object({
      kind: z.literal("electronic"),
      ...common,
      receiverEmail: rule.text(invoiceLimits.receiverEmail, EMAIL, t("ui.rule.email")),
    }),
  ]);
  const ofTitle = z.discriminatedUnion("titleType", [
    z.object({ titleType: z.literal("company"), taxNo: rule.text(invoiceLimits.taxNo, TAX_NO, t("invoice.taxNoWrong")) }),
    z.object({ titleType: z.literal("person") }),
  ]);
  return z.intersection(ofKind, ofTitle);
}

/** A payee with the amount that can be invoiced, and the part that refunds took off, or that a red-letter invoice is needed. */
function payeeChoice(t: Translate, { payeeOrgName: payee, invoiceableCents, refundedCents, overCents }: InvoiceableRow): string {
  if (overCents > 0) return t("invoice.payeeChoiceOver", { payee, amount: money(overCents) });
  const amount = money(invoiceableCents);
  return refundedCents > 0
    ? t("invoice.payeeChoiceLess", { payee, amount, refunded: money(refundedCents) })
    : t("invoice.payeeChoice", { payee, amount });
}

interface NewInvoice {
  t: Translate;
  orgs: readonly SelectOption[];
  /** What is to be invoiced, where that is chosen. */
  of: InvoiceableRow | undefined;
}

/** The dialog of a request; it closes with the invoice as it was saved. The form is made once, so that payees are loaded once. */
export function invoiceDialog({ t, orgs, of }: NewInvoice): (overlay: Overlay<InvoiceRow>) => ReactNode {
  const codes = (labels: string, all: readonly string[]) => all.map((value) => ({ value, label: labelOf(t, labels, value) }));
  const payee = (row: InvoiceableRow): Choice => ({ value: row.payeeOrgId, label: payeeChoice(t, row) });
  const payees = async (orgId: string) => (await invoiceablesOf(orgId)).map(payee);
  const choices = of && !orgs.some(({ value }) => value === of.id) ? [...orgs, { value: of.id, label: of.orgName }] : orgs;
  const sections: readonly FormSection[] = [
    {
      title: "invoice.what",
      fields: [
        {
          name: "orgId",
          label: "invoice.orgName",
          kind: "select",
          required: true,
          wide: true,
          empty: "invoice.choose",
          search: "/org/options",
          choices,
        },
        {
          name: "payeeOrgId",
          label: "invoice.payeeOrgName",
          kind: "dependent",
          required: true,
          on: "orgId",
          load: payees,
          empty: "invoice.choose",
          chosen: of && payee(of),
          wide: true,
          hint: "invoice.payeeHint",
        },
        { name: "amountCents", label: "invoice.amountInput", kind: "money", required: true },
        { name: "content", label: "invoice.content", kind: "text", required: true },
        { name: "kind", label: "invoice.kind", kind: "select", required: true, choices: codes("InvoiceKind", invoiceKindCodes) },
        {
          name: "titleType",
          label: "invoice.titleType",
          kind: "select",
          required: true,
          choices: codes("InvoiceTitleType", invoiceTitleTypeCodes),
        },
        { name: "title", label: "invoice.title", kind: "text", required: true },
        { name: "taxNo", label: "invoice.taxNo", kind: "text", written: "code", required: true, when: isCompany },
        { name: "bank", label: "invoice.bank", kind: "text", required: true, when: isSpecial },
        { name: "bankAccount", label: "invoice.bankAccount", kind: "text", written: "code", required: true, when: isSpecial },
        { name: "regAddress", label: "invoice.regAddress", kind: "text", required: true, when: isSpecial },
        { name: "regPhone", label: "invoice.regPhone", kind: "text", type: "tel", required: true, when: isSpecial },
      ],
    },
    {
      title: "invoice.whereto",
      fields: [
        { name: "receiverName", label: "invoice.receiverName", kind: "text", required: true, when: isPaper },
        { name: "receiverPhone", label: "invoice.receiverPhoneMask", kind: "text", type: "tel", required: true, when: isPaper },
        { name: "receiverAddress", label: "invoice.receiverAddress", kind: "text", required: true, wide: true, when: isPaper },
        {
          name: "receiverEmail",
          label: "invoice.receiverEmail",
          kind: "text",
          type: "email",
          required: true,
          when: (inputs) => !isPaper(inputs),
        },
        { name: "remark", label: "invoice.remark", kind: "area", wide: true },
      ],
    },
  ];
  const schema = invoiceSchema(t);
  const form: Form<z.output<typeof schema>> = { schema, fields: sections.flatMap(({ fields }) => fields) };
  const record = {
    orgId: of?.id ?? (orgs.length === 1 ? orgs[0]?.value : null),
    payeeOrgId: of?.payeeOrgId ?? null,
    amountCents: of && of.invoiceableCents > 0 ? of.invoiceableCents : null,
    kind: "electronic",
    titleType: "company",
    content: t("invoice.serviceFee"),
  };
  return (overlay) => (
    <FormDialog
      overlay={overlay}
      title={t("invoice.create")}
      draft={`invoice of ${of?.id}`}
      reviewers="/finance/invoice/reviewers"
      submit={t("invoice.submit")}
      form={form}
      sections={sections}
      record={record}
      save={(values) => api.post<InvoiceRow>("/finance/invoice", values)}
    />
  );
}

interface StepDialog {
  overlay: Overlay<InvoiceRow>;
  t: Translate;
  row: InvoiceRow;
}

/** Takes a step. It is about the invoice as it was read: when that has changed, there is nothing to merge. */
async function step(call: string, body: object): Promise<InvoiceRow> {
  try {
    return await api.put<InvoiceRow>(`/finance/invoice/${call}`, body);
  } catch (error) {
    // The same code refuses a number that another invoice has; that error has no current record.
    throw error instanceof ApiError && currentOf(error) ? unmergeable(error) : error;
  }
}

/** The schema of a red-letter invoice; `left` is the rest of its invoice in fen. */
export function redSchema(t: Translate, left: number) {
  const rule = rules(t);
  const isLeft = (cents: number) => cents > 0 && cents <= left;
  return z.object({
    amountCents: rule.money(invoiceLimits.mostCents).check(z.refine(isLeft, t("invoice.redMost", { amount: money(left) }))),
    reason: rule.text(invoiceLimits.redReason),
  });
}

/** The dialog that asks for a red-letter invoice; it closes with it as it was saved. */
export function redDialog({ overlay, t, row: { id, version, no, title, invoiceNumber, amountCents, redCents } }: StepDialog) {
  const left = amountCents - redCents;
  return (
    <FormDialog
      overlay={overlay}
      title={t("invoice.redTitle", { no })}
      draft={`invoice.red ${id} ${version}`}
      note={t("invoice.redNote", { title, number: invoiceNumber ?? "", amount: money(left) })}
      reviewers="/finance/invoice/reviewers"
      submit={t("invoice.redSubmit")}
      form={{
        schema: redSchema(t, left),
        fields: [
          { name: "amountCents", label: "invoice.redAmount", kind: "money", required: true },
          { name: "reason", label: "invoice.redReason", kind: "area", required: true, wide: true },
        ],
      }}
      record={{ amountCents: left, reason: "" }}
      save={async (values) => {
        try {
          return await api.post<InvoiceRow>("/finance/invoice/red", { id, version, ...values });
        } catch (error) {
          throw unmergeable(error);
        }
      }}
    />
  );
}

/** What stands on an invoice besides its title and amount. */
const PRINTED: readonly string[] = ["kind", "taxNo", "bank", "bankAccount", "regAddress", "regPhone", "content", "redOfNumber", "remark"];
const printedFields = invoiceFields.filter(({ key }) => PRINTED.includes(key));

/** The dialog that records the issued invoice; it closes with the invoice as it was saved. */
export function issueDialog({ overlay, t, row }: StepDialog) {
  const { id, version, no, title, amountCents } = row;
  const rule = rules(t);
  return (
    <FormDialog
      overlay={overlay}
      title={t("invoice.issueTitle", { no })}
      draft={`invoice.issue ${id} ${version}`}
      note={t("invoice.issueNote", { title, amount: money(amountCents) })}
      lead={<Description filled fields={printedFields} row={row} />}
      submit={t("invoice.issue")}
      form={{
        schema: z.object({
          invoiceNumber: rule.text(invoiceLimits.number, NUMBER, t("invoice.numberWrong")),
          invoiceCode: rule.optional(invoiceLimits.code, CODE, t("invoice.codeWrong")),
          issuedOn: rule.text(10, DAY),
          fileIds: rule.ids(),
        }),
        fields: [
          { name: "invoiceNumber", label: "invoice.invoiceNumber", kind: "text", written: "code", required: true },
          { name: "invoiceCode", label: "invoice.invoiceCode", kind: "text", written: "code", hint: "invoice.codeHint" },
          { name: "issuedOn", label: "invoice.issuedOn", kind: "date", required: true },
          {
            name: "fileIds",
            label: "invoice.files",
            kind: "files",
            bizType: "invoice_file",
            max: invoiceLimits.mostFiles,
            stored: [],
            wide: true,
            hint: "invoice.filesHint",
          },
        ],
      }}
      record={{ invoiceNumber: "", invoiceCode: null, issuedOn: today(), fileIds: [] }}
      save={(values) => step("issue", { id, version, ...values })}
    />
  );
}

/** The dialog that records how an invoice was sent; it closes with the invoice as it was saved. */
export function sendDialog({ overlay, t, row }: StepDialog) {
  const { id, version, no, kind, receiverName, receiverAddress, receiverEmail } = row;
  const rule = rules(t);
  const isPaper = kind !== "electronic";
  const sent = (most: number) => (isPaper ? rule.text(most) : rule.note(most));
  return (
    <FormDialog
      overlay={overlay}
      title={t("invoice.sendTitle", { no })}
      draft={`invoice.send ${id} ${version}`}
      note={
        isPaper
          ? t("invoice.sendPaperNote", { name: receiverName, address: receiverAddress })
          : t("invoice.sendMailNote", { email: receiverEmail })
      }
      submit={t("invoice.send")}
      form={{
        schema: z.object({ courier: sent(invoiceLimits.courier), trackingNo: sent(invoiceLimits.trackingNo) }),
        fields: [
          { name: "courier", label: "invoice.courier", kind: "text", required: isPaper },
          { name: "trackingNo", label: "invoice.trackingNo", kind: "text", required: isPaper },
        ],
      }}
      record={{ courier: "", trackingNo: "" }}
      save={(values) => step("send", { id, version, ...values })}
    />
  );
}
