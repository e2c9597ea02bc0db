/** The form of an official account. A lazy chunk. */
import * as z from "zod/mini";

import type { SelectOption, WechatRow } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import type { Translate } from "../../../lib/i18n";
import { wechatLimits } from "../../../lib/limits";
import type { Form, Inputs } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import type { Overlay } from "../../../ui/overlay";
import { newGroup } from "../share";

const APP_ID = /^wx[A-Za-z\d]{4,}$/;
const APP_SECRET = /^[A-Za-z\d]{32}$/;
const TOKEN = /^[A-Za-z\d]{3,}$/;
const AES_KEY = /^[A-Za-z\d]{43}$/;
const TEMPLATE_FIELD = /^\w+$/;

/** What a new account starts with. */
const blank = { name: "", appId: "", encrypted: true, groupId: null, templateId: "", templateField: "", templateText: "" } as const;

interface WechatDialog {
  overlay: Overlay<WechatRow>;
  t: Translate;
  /** Groups in use. */
  groups: readonly SelectOption[];
  /** The account to be edited; a new one without it. */
  row: WechatRow | undefined;
}

const isEncrypted = ({ encrypted }: Inputs) => encrypted === "true";
const hasTemplate = ({ templateId }: Inputs) => String(templateId).trim() !== "";

function wechatForm({ t, groups, row }: WechatDialog) {
  const rule = rules(t);
  // The value of the record stays a choice, even if it is not offered any more.
  const own = row && !groups.some(({ value }) => value === row.groupId) ? [{ value: row.groupId, label: row.groupName }] : [];
  const modes = [
    { value: "true", label: t("chatWechat.secure") },
    { value: "false", label: t("chatWechat.plain") },
  ];
  // An empty key leaves the stored one as it is.
  const key = row ? rule.optional : rule.text;
  const schema = z
    .object({
      name: rule.text(wechatLimits.name),
      appId: rule.text(wechatLimits.appId, APP_ID, t("chatWechat.appIdWrong")),
      appSecret: key(wechatLimits.appSecret, APP_SECRET, t("chatWechat.appSecretWrong")),
      token: key(wechatLimits.token, TOKEN, t("chatWechat.tokenWrong")),
      encrypted: z.pipe(
        rule.oneOf(["true", "false"]),
        z.transform((code: "true" | "false") => code === "true"),
      ),
      aesKey: rule.note(wechatLimits.aesKey),
      groupId: rule.id(),
      templateId: rule.note(wechatLimits.templateId),
      templateField: rule.note(wechatLimits.templateField),
      templateText: rule.note(wechatLimits.templateText),
    })
    .check(
      z.refine(({ encrypted, aesKey }) => !encrypted || Boolean(row) || aesKey !== "", { path: ["aesKey"], error: t("ui.rule.required") }),
      z.refine(({ encrypted, aesKey }) => !encrypted || aesKey === "" || AES_KEY.test(aesKey), {
        path: ["aesKey"],
        error: t("chatWechat.aesKeyWrong"),
      }),
      z.refine(({ templateId, templateField }) => templateId === "" || TEMPLATE_FIELD.test(templateField), {
        path: ["templateField"],
        error: t("chatWechat.templateFieldWrong"),
      }),
      z.refine(({ templateId, templateText }) => templateId === "" || templateText !== "", {
        path: ["templateText"],
        error: t("ui.rule.required"),
      }),
    );
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      { name: "name", label: "wechat.name", kind: "text", required: true },
      {
        name: "appId",
        label: "wechat.appId",
        kind: "text",
        required: true,
        fixed: Boolean(row),
        hint: row ? undefined : "chatWechat.appIdHint",
      },
      {
        name: "appSecret",
        label: "chatWechat.appSecret",
        kind: "text",
        secret: true,
        required: !row,
        hint: row ? "chatWechat.keyKept" : "chatWechat.appSecretHint",
      },
      {
        name: "token",
        label: "chatWechat.token",
        kind: "text",
        secret: true,
        required: !row,
        hint: row ? "chatWechat.keyKept" : "chatWechat.tokenHint",
      },
      { name: "encrypted", label: "wechat.encrypted", kind: "select", required: true, choices: modes, hint: "chatWechat.encryptedHint" },
      {
        name: "aesKey",
        label: "chatWechat.aesKey",
        kind: "text",
        secret: true,
        required: !row,
        when: isEncrypted,
        hint: row ? "chatWechat.aesKeyKept" : "chatWechat.aesKeyHint",
      },
      {
        name: "groupId",
        label: "wechat.groupName",
        kind: "select",
        required: true,
        empty: "chatWechat.choose",
        choices: [...groups, ...own],
        create: newGroup,
        hint: "chatWechat.groupHint",
      },
      { name: "templateId", label: "wechat.templateId", kind: "text", wide: true, hint: "chatWechat.templateHint" },
      {
        name: "templateField",
        label: "wechat.templateField",
        kind: "text",
        required: true,
        when: hasTemplate,
        hint: "chatWechat.templateFieldHint",
      },
      {
        name: "templateText",
        label: "wechat.templateText",
        kind: "text",
        required: true,
        when: hasTemplate,
        hint: "chatWechat.templateTextHint",
      },
    ],
  };
  return form;
}

/** The dialog of an account; it closes with the account as it was saved. */
export function wechatDialog(dialog: WechatDialog) {
  const { overlay, t, row } = dialog;
  return (
    <FormDialog
      overlay={overlay}
      title={t(row ? "chatWechat.edit" : "chatWechat.create")}
      draft="chatWechat"
      note={row ? undefined : t("chatWechat.createNote")}
      form={wechatForm(dialog)}
      record={row ?? blank}
      save={({ appId, ...values }, record) => {
        // Texts for secure mode or for a template are not sent if they do not apply.
        const { encrypted, aesKey, templateId, templateField, templateText } = values;
        const body = {
          ...values,
          aesKey: encrypted ? aesKey : "",
          templateField: templateId === "" ? "" : templateField,
          templateText: templateId === "" ? "" : templateText,
        };
        return "id" in record
          ? api.put<WechatRow>("/chat/wechat", { ...body, id: record.id, version: record.version })
          : api.post<WechatRow>("/chat/wechat", { ...body, appId });
      }}
    />
  );
}
