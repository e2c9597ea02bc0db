/** The form of an administrator. A lazy chunk: it loads when one is created or edited. */
import * as z from "zod/mini";

import type { AdminCreated, AdminRow, SelectOption } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import type { Translate } from "../../../lib/i18n";
import { adminLimits, fieldLimits } from "../../../lib/limits";
import type { List } from "../../../ui/actions";
import type { Form } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import type { Overlay } from "../../../ui/overlay";
import type { AdminChoices } from "./fields";
import { newTeam } from "../../crm/share";

const USERNAME = /^[a-z\d._-]{3,}$/;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** What a new account starts with. */
const blank = { username: "", realName: "", phone: null, email: null, orgId: null, subOrgId: null, roleIds: [] } as const;

const subOrgs = (orgId: string) => api.get<SelectOption[]>("/org/subOptions", { orgId });

function adminForm(t: Translate, { roles, orgs, orgId }: AdminChoices, row?: AdminRow) {
  const rule = rules(t);
  const schema = z.object({
    username: rule.text(adminLimits.username, USERNAME, t("admin.usernameWrong")),
    realName: rule.text(adminLimits.realName),
    phone: rule.optionalPhone(),
    email: rule.optional(fieldLimits.email, EMAIL, t("ui.rule.email")),
    orgId: rule.optionalId(),
    subOrgId: rule.optionalId(),
    roleIds: rule.ids(1),
  });
  const chosen = row?.subOrgId ? { value: row.subOrgId, label: row.subOrgName ?? String(row.subOrgId) } : undefined;
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      {
        name: "username",
        label: "admin.username",
        kind: "text",
        required: true,
        fixed: !!row,
        hint: row ? undefined : "admin.usernameHint",
      },
      { name: "realName", label: "admin.realName", kind: "text", required: true },
      {
        name: "phone",
        label: "admin.phone",
        kind: "text",
        type: "tel",
        placeholder: row?.phoneMask ?? undefined,
        hint: row ? "admin.phoneKeep" : undefined,
      },
      { name: "email", label: "admin.email", kind: "text", type: "email" },
      { name: "orgId", label: "admin.org", kind: "select", empty: orgId === null ? "admin.platform" : undefined, choices: orgs },
      {
        name: "subOrgId",
        label: "admin.subOrg",
        kind: "dependent",
        on: "orgId",
        load: subOrgs,
        empty: "admin.noSubOrg",
        chosen,
        create: newTeam,
      },
      { name: "roleIds", label: "admin.roles", kind: "boxes", required: true, wide: true, choices: roles },
    ],
  };
  return form;
}

/** An account that was made, with its first password. */
export interface NewAccount extends AdminCreated {
  username: string;
  orgId: number | null;
}

interface Making {
  overlay: Overlay<NewAccount>;
  t: Translate;
  choices: AdminChoices;
}

/** The dialog that makes an account; it closes with the initial password, which is to be shown once. */
export function createAdmin({ overlay, t, choices }: Making) {
  return (
    <FormDialog
      overlay={overlay}
      title={t("admin.create")}
      draft="admin"
      form={adminForm(t, choices)}
      record={{ ...blank, orgId: choices.orgId }}
      save={async (values) => ({ ...(await api.post<AdminCreated>("/admin", values)), username: values.username, orgId: values.orgId })}
    />
  );
}

interface Editing {
  overlay: Overlay<AdminRow>;
  t: Translate;
  choices: AdminChoices;
  row: AdminRow;
}

/** The dialog that edits an account; it closes with the account as it was saved. */
export function editAdmin({ overlay, t, choices, row }: Editing) {
  return (
    <FormDialog
      overlay={overlay}
      title={t("admin.edit")}
      draft="admin"
      form={adminForm(t, choices, row)}
      record={row}
      valuesOf={({ roles, ...rest }) => ({ ...rest, roleIds: roles.map(({ id }) => id) })}
      save={({ username: _fixed, ...values }, { id, version }) => api.put<AdminRow>("/admin", { ...values, id, version })}
    />
  );
}

/** Shows the first password of an account, once. */
export async function showPassword({ username, password }: { username: string; password: string }, { t, open }: Pick<List, "t" | "open">) {
  const { showSecrets } = await import("../../../ui/secret-dialog");
  await showSecrets(open, t("admin.passwordTitle", { name: username }), [
    { label: t("admin.username"), value: username },
    { label: t("admin.password"), value: password },
  ]);
}
