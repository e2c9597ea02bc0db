/** The form by which staff enter an applicant, and the result of the entry. A lazy chunk. */
import * as z from "zod/mini";

import type { AgreementOption, ChannelOption, SelectOption, UserEntered, UserStatus } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { applicantParts, fieldsOfPart } from "../../../lib/applicant";
import { withLastParts } from "../../../lib/field-names";
import { type Translate, useT } from "../../../lib/i18n";
import { userLimits } from "../../../lib/limits";
import { applicantInputs } from "../../../ui/applicant-inputs";
import { Button } from "../../../ui/button";
import { Dialog } from "../../../ui/dialog";
import type { Form, FormField, FormSection } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import { Icon, type IconName } from "../../../ui/icon";
import type { Overlay } from "../../../ui/overlay";
import { EnumTag } from "../../../ui/tag";
import { newAgreement } from "../../admin/share";
import { newChannel } from "../../channel/share";
import { UserChecks } from "./checks";
import { userStatusColors } from "./fields";

/** What the form sends, besides the applicant's answers under the names of their fields. */
interface Entry {
  channelId: number;
  phone: string;
  name: string;
  idNo: string | null;
  productId: number | null;
  agreement: number;
  partners: "all" | "named";
  recipients: string[];
  grantedAt: number | null;
}

/** What its selects choose from. */
interface Choices {
  channels: readonly ChannelOption[];
  products: readonly SelectOption[];
  /** The agreements that are valid now, and those that are made in the form. */
  agreements: AgreementOption[];
}

function entryForm(t: Translate, { channels, products, agreements }: Choices): { form: Form<Entry>; sections: readonly FormSection[] } {
  const rule = rules(t);
  const parts = applicantParts.map(({ title }) => ({ title, ...applicantInputs(t, fieldsOfPart(title)) }));
  const requires = (channelId: unknown, name: string) =>
    channels.some(({ value, requiredFields = [] }) => String(value) === String(channelId) && requiredFields.includes(name));
  const given = ({ name }: FormField) =>
    z.refine<{ channelId: number }>((entry) => !requires(entry.channelId, name) || (entry as Record<string, unknown>)[name] !== null, {
      path: [name],
      error: t("ui.rule.required"),
    });
  const schema = z
    .object({
      channelId: rule.id(),
      phone: rule.phone(),
      name: rule.text(userLimits.name),
      idNo: rule.optionalIdNo(),
      productId: rule.optionalId(),
      agreement: rule.id(),
      partners: rule.oneOf(["all", "named"]),
      // Only the server can check whether the organisations exist.
      recipients: rule.lines(userLimits.mostRecipients, /\S/, () => ""),
      grantedAt: rule.optionalMoment(),
      ...(Object.assign({}, ...parts.map(({ schemas }) => schemas)) as (typeof parts)[number]["schemas"]),
    })
    .check(
      z.refine(({ partners, recipients }) => partners === "all" || recipients.length > 0, {
        path: ["recipients"],
        error: t("ui.rule.required"),
      }),
      ...parts.flatMap(({ inputs }) => inputs.map(given)),
    );
  const who: readonly FormField[] = [
    {
      name: "channelId",
      label: "user.channel",
      kind: "select",
      required: true,
      empty: "user.choose",
      choices: channels.map(({ value, label, test }) => ({ value, label: test ? t("user.channelTest", { name: label }) : label })),
      hint: "user.channelHint",
      create: {
        ...newChannel,
        make: async (open, texts) => {
          const made = await newChannel.make(open, texts);
          return made && { ...made, label: t("user.channelTest", { name: made.label }) };
        },
      },
    },
    {
      name: "productId",
      label: "user.product",
      kind: "select",
      empty: "user.noProduct",
      choices: products,
      search: "/product/options",
      hint: "user.productHint",
    },
    { name: "phone", label: "user.phone", kind: "text", type: "tel", required: true },
    { name: "name", label: "user.name", kind: "text", required: true },
    { name: "idNo", label: "user.idNo", kind: "text", written: "idNo" },
  ];
  const consent: readonly FormField[] = [
    {
      name: "agreement",
      label: "user.agreement",
      kind: "select",
      required: true,
      wide: true,
      empty: "user.choose",
      choices: agreements,
      hint: "user.agreementHint",
      create: {
        ...newAgreement,
        make: async (open, texts) => {
          const made = await newAgreement.make(open, texts);
          if (made) agreements.push(made);
          return made;
        },
      },
    },
    {
      name: "partners",
      label: "user.recipients",
      kind: "select",
      required: true,
      choices: [
        { value: "all", label: t("user.allPartners") },
        { value: "named", label: t("user.namedPartners") },
      ],
    },
    { name: "grantedAt", label: "user.grantedAt", kind: "moment", hint: "user.grantedAtHint" },
    {
      name: "recipients",
      label: "user.recipientCodes",
      kind: "lines",
      required: true,
      wide: true,
      hint: "user.recipientCodesHint",
      when: ({ partners }) => partners === "named",
    },
  ];
  const marked = (input: FormField): FormField => ({ ...input, requiredWhen: ({ channelId }) => requires(channelId, input.name) });
  const sections: readonly FormSection[] = [
    ...parts.map(({ title, inputs }, index) => ({ title, fields: [...(index === 0 ? who : []), ...inputs.map(marked)] })),
    { title: "user.part.consent", fields: consent },
  ];
  return { form: { schema, fields: sections.flatMap(({ fields }) => fields) }, sections };
}

interface EntryDialog {
  overlay: Overlay<UserEntered>;
  t: Translate;
  choices: Choices;
}

/** The dialog of an entry; it closes with its result. */
export function entryDialog({ overlay, t, choices }: EntryDialog) {
  return (
    <FormDialog
      overlay={overlay}
      title={t("user.createTitle")}
      draft="user"
      submit={t("user.createDo")}
      {...entryForm(t, choices)}
      record={{ partners: "all" }}
      save={(entry) => enter(entry, choices.agreements)}
    />
  );
}

async function enter(entry: Entry, agreements: readonly AgreementOption[]): Promise<UserEntered> {
  const { channelId, productId, phone, name, idNo, agreement: chosen, partners, recipients, grantedAt, ...applicant } = entry;
  const toAll = partners === "all";
  const { code: agreement, edition: version } = agreements.find(({ value }) => value === chosen)!;
  const consent = { agreement, version, allPartners: toAll, recipients: toAll ? [] : recipients, grantedAt };
  try {
    return await api.post<UserEntered>("/user", { channelId, productId, user: { phone, name, idNo, consent, applicant } });
  } catch (error) {
    throw withLastParts(error);
  }
}

/** The look of the result of each status. */
const news: Readonly<Record<UserStatus, "success" | "warning" | "error">> = {
  registered: "warning",
  completed: "success",
  matching: "success",
  distributed: "success",
  unmatched: "warning",
  duplicate: "warning",
  blocked: "error",
  invalid: "error",
  erased: "error",
};
const icons = { success: "check", warning: "info", error: "warning" } satisfies Record<string, IconName>;

interface EnteredDialog {
  /** Closes with true to open the applicant's story. */
  overlay: Overlay<boolean>;
  entered: UserEntered;
  mayView: boolean;
}

/** The dialog with the result of an entry. */
export function enteredDialog(props: EnteredDialog) {
  return <Entered {...props} />;
}

function Entered({ overlay, entered: { no, status, failed, checks }, mayView }: EnteredDialog) {
  const t = useT();
  const tone = news[status];
  return (
    <Dialog overlay={overlay} title={t("user.enteredTitle", { no })} shape="small">
      <div className="ll-dialog-body">
        <p className={`ll-alert ll-alert-${tone}`}>
          <Icon name={icons[tone]} />
          {failed
            ? t("user.enteredFailed", { check: t(`UserCheck.${failed}`) })
            : t(status === "registered" ? "user.enteredTest" : "user.enteredWell")}
        </p>
        <p>
          {t("user.status")} <EnumTag labels="UserStatus" value={status} colors={userStatusColors} />
        </p>
        <UserChecks checks={checks} />
      </div>
      <footer className="ll-dialog-foot">
        <Button onClick={() => overlay.close(false)}>{t("ui.close")}</Button>
        {mayView && (
          <Button look="primary" onClick={() => overlay.close(true)}>
            {t("user.toStory")}
          </Button>
        )}
      </footer>
    </Dialog>
  );
}
