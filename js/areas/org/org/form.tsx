/** The form of an organisation. A lazy chunk: it loads when one is created or edited. */
import * as z from "zod/mini";

import type { OrgRow } from "../../../lib/api-types";
import { billModeCodes, orgModeCodes, orgTypeCodes } from "../../../lib/codes";
import { api } from "../../../lib/api";
import { phone, trimmed } from "../../../lib/canonical";
import type { Translate } from "../../../lib/i18n";
import { orgLimits } from "../../../lib/limits";
import { labelOf } from "../../../ui/field";
import type { Form, Inputs } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import type { Overlay } from "../../../ui/overlay";
import { cityField } from "../../../ui/place-select";
import type { OrgChoices } from "./fields";
import { newPayee } from "../payee/new";

const CODE = /^[\w-]{2,}$/;
const DAY = /^\d{4}-\d\d-\d\d$/;
/** A phone, or the mask of one that is stored. */
const PHONE_OR_MASK = /^1\d\d(?:\d{4}|\*{4})\d{4}$/;

/** What a new organisation starts with. */
const blank = {
  code: "",
  name: "",
  shortName: "",
  type: null,
  mode: "test",
  licenceNo: null,
  licenceExpireOn: null,
  licenceFileId: null,
  contactName: "",
  contactPhoneMask: null,
  city: "",
  address: "",
  billMode: "prepaid",
  creditLimitCents: null,
  lowBalanceCents: null,
  alertPhones: [],
  returnAllowed: true,
  returnMaxDays: 7,
  returnMaxBp: 1000,
  returnAuto: false,
  payeeOrgId: null,
  ownerAdminId: null,
} as const;

interface OrgDialog {
  overlay: Overlay<OrgRow>;
  t: Translate;
  choices: OrgChoices;
  /** The organisation to be edited; a new one without it. */
  row: OrgRow | undefined;
}

const onCredit = ({ billMode }: Inputs) => billMode === "credit";
const withReturns = ({ returnAllowed }: Inputs) => returnAllowed === "true";

function orgForm(t: Translate, { owners, payees }: OrgChoices, row: OrgRow | undefined) {
  const rule = rules(t);
  const codes = (labels: string, all: readonly string[]) => all.map((value) => ({ value, label: labelOf(t, labels, value) }));
  const hasPhone = Boolean(row?.contactPhoneMask);
  // A payee that is not offered any more stays a choice for this organisation.
  const stays = row && row.payeeOrgId !== null && !payees.some(({ value }) => value === row.payeeOrgId);
  const payeeChoices = stays ? [...payees, { value: row.payeeOrgId ?? 0, label: row.payeeOrgName ?? "" }] : payees;
  const schema = z
    .object({
      code: rule.text(orgLimits.code, CODE, t("org.codeWrong")),
      name: rule.text(orgLimits.name),
      shortName: rule.text(orgLimits.shortName),
      type: rule.oneOf(orgTypeCodes),
      mode: rule.oneOf(orgModeCodes),
      licenceNo: rule.optional(orgLimits.licenceNo),
      licenceExpireOn: rule.optional(10, DAY),
      licenceFileId: rule.optionalId(),
      contactName: rule.note(orgLimits.contactName),
      contactPhone: rule.optionalPhone(),
      city: rule.note(32),
      address: rule.note(orgLimits.address),
      billMode: rule.oneOf(billModeCodes),
      creditLimitCents: rule.money(orgLimits.mostCents),
      lowBalanceCents: rule.money(orgLimits.mostCents),
      alertPhones: rule.lines(
        orgLimits.mostPhones,
        PHONE_OR_MASK,
        () => t("ui.rule.phone"),
        (line) => phone(line) ?? trimmed(line),
      ),
      returnAllowed: rule.flag(),
      returnMaxDays: rule.integer(0, orgLimits.mostReturnDays),
      returnMaxBp: rule.percent(),
      returnAuto: rule.flag(),
      payeeOrgId: rule.optionalId(),
      ownerAdminId: rule.optionalId(),
    })
    .check(
      z.refine(({ billMode, creditLimitCents }) => billMode !== "credit" || creditLimitCents > 0, {
        path: ["creditLimitCents"],
        error: t("org.creditNeeded"),
      }),
    );
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      { name: "code", label: "org.code", kind: "text", required: true, fixed: Boolean(row), hint: row ? undefined : "org.codeHint" },
      { name: "name", label: "org.name", kind: "text", required: true },
      { name: "shortName", label: "org.shortName", kind: "text", required: true },
      { name: "type", label: "org.type", kind: "select", required: true, empty: "ui.rule.choose", choices: codes("OrgType", orgTypeCodes) },
      { name: "mode", label: "org.mode", kind: "select", required: true, choices: codes("OrgMode", orgModeCodes), hint: "org.modeHint" },
      { name: "ownerAdminId", label: "org.owner", kind: "select", empty: "org.nobody", choices: owners },
      { name: "licenceNo", label: "org.licenceNo", kind: "text" },
      { name: "licenceExpireOn", label: "org.licenceExpireOn", kind: "date" },
      { name: "licenceFileId", label: "org.licenceFile", kind: "picture", bizType: "org_licence", wide: true },
      { name: "contactName", label: "org.contactName", kind: "text" },
      {
        name: "contactPhone",
        label: "org.contactPhone",
        kind: "text",
        type: "tel",
        placeholder: row?.contactPhoneMask ?? undefined,
        hint: hasPhone ? "org.phoneKeep" : undefined,
      },
      cityField(t, { name: "city", label: "org.city" }),
      { name: "address", label: "org.address", kind: "text", wide: true },
      { name: "billMode", label: "org.billMode", kind: "select", required: true, choices: codes("BillMode", billModeCodes) },
      { name: "creditLimitCents", label: "org.creditLimitInput", kind: "money", required: true, when: onCredit },
      { name: "lowBalanceCents", label: "org.lowBalanceInput", kind: "money", hint: "org.lowBalanceHint" },
      {
        name: "payeeOrgId",
        label: "org.payee",
        kind: "select",
        empty: "org.noPayee",
        choices: payeeChoices,
        create: newPayee,
      },
      { name: "alertPhones", label: "org.alertPhones", kind: "lines", wide: true, hint: "org.alertPhonesHint" },
      { name: "returnAllowed", label: "org.returnAllowed", kind: "flag" },
      { name: "returnMaxDays", label: "org.returnMaxDays", kind: "integer", unit: "channel.days", when: withReturns },
      { name: "returnMaxBp", label: "org.returnMaxBp", kind: "percent", when: withReturns },
      { name: "returnAuto", label: "org.returnAuto", kind: "flag", hint: "org.returnAutoHint", when: withReturns },
    ],
  };
  return form;
}

/** The dialog of an organisation; it closes with the organisation as it was saved. */
export function orgDialog({ overlay, t, choices, row }: OrgDialog) {
  return (
    <FormDialog
      overlay={overlay}
      title={t(row ? "org.edit" : "org.create")}
      draft="org"
      form={orgForm(t, choices, row)}
      record={row ? { ...row, ...row.proposed } : blank}
      save={(values, record) => {
        // Advance payment has no credit limit.
        const creditLimitCents = values.billMode === "credit" ? values.creditLimitCents : 0;
        // Without returns, none is approved.
        const body = { ...values, creditLimitCents, returnAuto: values.returnAllowed && values.returnAuto };
        return "id" in record
          ? api.put<OrgRow>("/org", { ...body, id: record.id, version: record.version })
          : api.post<OrgRow>("/org", body);
      }}
    />
  );
}
