/** The form of a payee organisation. A lazy chunk. */
import * as z from "zod/mini";

import type { PayeeRow } from "../../../lib/api-types";
import { invoiceKindCodes, payeeStatusCodes } from "../../../lib/codes";
import { api } from "../../../lib/api";
import type { Translate } from "../../../lib/i18n";
import { payeeLimits } from "../../../lib/limits";
import type { Form } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import type { Overlay } from "../../../ui/overlay";

const TAX_NO = /^[a-z\d]{15,}$/i;
const ACCOUNT = /^\d[\d -]{6,38}\d$/;
const PHONE = /^[\d+ ()-]*$/;

/** What a new payee starts with. */
const blank = {
  name: "",
  taxNo: "",
  bankName: "",
  bankAccountMask: null,
  address: "",
  phone: "",
  invoiceTypes: invoiceKindCodes,
  status: "enabled",
} as const;

interface PayeeDialog {
  overlay: Overlay<PayeeRow>;
  t: Translate;
  /** The payee to be edited; a new one without it. */
  row: PayeeRow | undefined;
}

function payeeForm(t: Translate, row: PayeeRow | undefined) {
  const rule = rules(t);
  const schema = z.object({
    name: rule.text(payeeLimits.name),
    status: rule.oneOf(payeeStatusCodes),
    taxNo: rule.text(payeeLimits.taxNo, TAX_NO, t("payee.taxNoWrong")),
    bankName: rule.text(payeeLimits.bankName),
    bankAccount: row?.bankAccountMask
      ? rule.optional(40, ACCOUNT, t("payee.accountWrong"))
      : rule.text(40, ACCOUNT, t("payee.accountWrong")),
    invoiceTypes: rule.codes(invoiceKindCodes),
    address: rule.note(payeeLimits.address),
    phone: rule.optional(payeeLimits.phone, PHONE),
  });
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      { name: "name", label: "payee.name", kind: "text", required: true },
      {
        name: "status",
        label: "payee.status",
        kind: "select",
        required: true,
        choices: payeeStatusCodes.map((value) => ({ value, label: t(`PayeeStatus.${value}`) })),
      },
      { name: "taxNo", label: "payee.taxNo", kind: "text", written: "code", required: true },
      { name: "bankName", label: "payee.bankName", kind: "text", required: true },
      {
        name: "bankAccount",
        label: "payee.bankAccount",
        kind: "text",
        written: "code",
        required: !row?.bankAccountMask,
        placeholder: row?.bankAccountMask,
        hint: row?.bankAccountMask ? "payee.accountKeep" : "payee.accountReviewed",
      },
      { name: "phone", label: "payee.phone", kind: "text", type: "tel" },
      {
        name: "invoiceTypes",
        label: "payee.invoiceTypes",
        kind: "boxes",
        wide: true,
        choices: invoiceKindCodes.map((value) => ({ value, label: t(`InvoiceKind.${value}`) })),
      },
      { name: "address", label: "payee.address", kind: "text", wide: true },
    ],
  };
  return form;
}

/** The dialog of a payee; it closes with the payee as it was saved. */
export function payeeDialog({ overlay, t, row: saved }: PayeeDialog) {
  // Open proposals stay proposed unless they are changed here.
  const row = saved && { ...saved, ...saved.proposed };
  return (
    <FormDialog
      overlay={overlay}
      title={t(row ? "payee.edit" : "payee.create")}
      draft="payee"
      note={row && t("payee.editNote")}
      form={payeeForm(t, row)}
      record={row ?? blank}
      save={(values, record) => {
        const body = { ...values, phone: values.phone ?? "" };
        return "id" in record
          ? api.put<PayeeRow>("/org/payee", { ...body, id: record.id, version: record.version })
          : api.post<PayeeRow>("/org/payee", body);
      }}
    />
  );
}
