/** /user/list/new: the form by which staff enter an applicant. */
import { useState } from "react";
import * as z from "zod/mini";

import type { AgreementOption, ChannelOption, SelectOption, UserEntered } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { applicantParts, fieldsOfPart } from "../../../lib/applicant";
import { useFieldChoices } from "../../../lib/choices";
import { withLastParts } from "../../../lib/field-names";
import { type Translate, useT } from "../../../lib/i18n";
import { userLimits } from "../../../lib/limits";
import { useHasPoint } from "../../../lib/permissions";
import { useLoaded } from "../../../lib/props";
import { useNavigate, useVisit } from "../../../lib/visit";
import { applicantInputs } from "../../../ui/applicant-inputs";
import { useGoBack } from "../../../ui/back-link";
import type { Form, FormField, FormSection } from "../../../ui/form";
import { FormPage } from "../../../ui/form-page";
import { rules } from "../../../ui/form-rules";
import { useOverlay } from "../../../ui/overlay";
import { newAgreement } from "../../admin/share";
import { newChannel } from "../../channel/share";

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

/** Where the form was opened. */
const LIST = { href: "/user/list", title: "user.title" } as const;

/** What an entry begins with. */
const BLANK = { partners: "all" };

export default function UserForm() {
  useFieldChoices();
  const t = useT();
  const navigate = useNavigate();
  const { state } = useVisit().location;
  const goBack = useGoBack(LIST.href);
  const [overlays, open] = useOverlay();
  const mayView = useHasPoint(["user/list/view"]);
  const channels = useLoaded<ChannelOption[]>("channels") ?? [];
  const products = useLoaded<SelectOption[]>("products") ?? [];
  const loaded = useLoaded<AgreementOption[]>("agreements") ?? [];
  const [agreements] = useState(() => loaded.filter(({ valid }) => valid));
  /** Shows the result, then the applicant's page on request, else the list. */
  const showResult = async (entered: UserEntered) => {
    const { enteredDialog } = await import("./entered");
    const wanted = await open<boolean>((overlay) => enteredDialog({ overlay, entered, mayView }));
    // The page of the applicant takes the place of the form, so that Back leads to where the form was opened.
    await (wanted ? navigate(`/user/list/${entered.id}`, { replace: true, state }) : goBack());
  };
  return (
    <>
      <FormPage
        back={LIST}
        title={t("user.createTitle")}
        draft="user"
        submit={t("user.createDo")}
        {...entryForm(t, { channels, products, agreements })}
        record={BLANK}
        save={(entry) => enter(entry, agreements)}
        saved={(entered) => void showResult(entered)}
      />
      {overlays}
    </>
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
