/** The forms of a role. A lazy chunk: it loads when one is made, changed or granted. */
import * as z from "zod/mini";

import type { MenuNode, RoleDetail, StandardRole } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import type { Translate } from "../../../lib/i18n";
import { roleLimits } from "../../../lib/limits";
import { labelOf } from "../../../ui/field";
import type { Choice, Form, FormField } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import type { Overlay } from "../../../ui/overlay";
import { leafIds, type TreeNode } from "../../../ui/tree";
import { dataScopes } from "./fields";

const CODE = /^[a-z][a-z\d_]+$/;

/** What a new role starts with. */
const blank = { code: "", name: "", nameEn: "", dataScope: "self", defaultRoute: null, sort: 50, menuIds: [] as number[] } as const;

/** The menu as a tree to tick. */
function treeOf(nodes: readonly MenuNode[]): TreeNode[] {
  return nodes.map(({ id, title, children }) => ({ id, label: title, children: children && treeOf(children) }));
}

/** The pages that some ticked leaves open, by route name. */
function pagesOf(nodes: readonly MenuNode[], ticked: ReadonlySet<number>): Choice[] {
  return nodes.flatMap((node) => {
    const below = node.children ? pagesOf(node.children, ticked) : [];
    const isReached = ticked.has(node.id) || (node.children?.some(({ id, type }) => type === 2 && ticked.has(id)) ?? false);
    // What is below a page are its points, and below a group pages.
    const isGroup = node.children?.some(({ type }) => type === 1) ?? false;
    const isPage = node.type === 1 && !node.hidden && !node.external && !isGroup;
    return isPage && isReached ? [{ value: node.name, label: node.title }, ...below] : below;
  });
}

interface FormParts {
  t: Translate;
  /** What the viewer may grant. */
  tree: readonly MenuNode[];
  /** The viewer may decide what roles hold; if not, the tree is not in the form. */
  grants: boolean;
}

function treeField(tree: readonly MenuNode[]): FormField {
  return { name: "menuIds", label: "role.menuIds", kind: "tree", wide: true, hint: "role.menuIdsHint", nodes: treeOf(tree) };
}

function roleForm({ t, tree, grants }: FormParts, role?: RoleDetail) {
  const rule = rules(t);
  const schema = z.object({
    code: rule.text(roleLimits.code, CODE, t("role.codeWrong")),
    name: rule.text(roleLimits.name),
    nameEn: rule.text(roleLimits.nameEn),
    dataScope: rule.oneOf(dataScopes),
    defaultRoute: rule.optional(64),
    sort: rule.integer(0, roleLimits.mostSort),
    menuIds: z.optional(rule.ids()),
  });
  const pages = (ids: readonly number[]) => pagesOf(tree, new Set(ids));
  const loadPages = (ids: string) => Promise.resolve(pages(ids.split(",").map(Number)));
  const chosen = pages(role?.menuIds ?? []).find(({ value }) => value === role?.defaultRoute);
  const scopes = dataScopes.map((value) => ({
    value,
    label: `${labelOf(t, "role.scope", value)} · ${labelOf(t, "role.scopeText", value)}`,
  }));
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      { name: "code", label: "role.code", kind: "text", required: true, fixed: !!role, hint: role ? undefined : "role.codeHint" },
      { name: "sort", label: "role.sort", kind: "integer", required: true, hint: "role.sortHint" },
      { name: "name", label: "role.name", kind: "text", required: true },
      { name: "nameEn", label: "role.nameEn", kind: "text", required: true },
      {
        name: "dataScope",
        label: "role.dataScope",
        kind: "select",
        required: true,
        wide: true,
        choices: scopes,
        hint: "role.dataScopeHint",
      },
      ...(grants ? [treeField(tree)] : []),
      {
        name: "defaultRoute",
        label: "role.defaultRoute",
        wide: true,
        hint: "role.defaultRouteHint",
        ...(grants
          ? { kind: "dependent", on: "menuIds", load: loadPages, empty: "role.firstOfMenu", chosen }
          : { kind: "select", choices: pages(role?.menuIds ?? []), empty: "role.firstOfMenu" }),
      },
    ],
  };
  return form;
}

/** The values of the fields for a role: of its grants only the leaves, in the tree's order. */
function valuesOf(tree: readonly MenuNode[]) {
  const leaves = leafIds(treeOf(tree));
  return (role: { menuIds: readonly number[] }) => {
    const granted = new Set(role.menuIds);
    return { ...role, menuIds: leaves.filter((id) => granted.has(id)) };
  };
}

interface Making extends FormParts {
  overlay: Overlay<RoleDetail>;
  /** The role that the new one is a copy of. */
  source: RoleDetail | undefined;
}

/** The dialog that makes a role; it closes with the role. */
export function createRole({ overlay, source, ...parts }: Making) {
  const { t, tree } = parts;
  const copied = source && { ...source, code: "", name: "", nameEn: "" };
  const copyOf = source ? { copyOf: source.id } : {};
  return (
    <FormDialog
      overlay={overlay}
      title={source ? t("role.copyTitle", { name: source.label }) : t("role.create")}
      draft={source ? `role.copy ${source.id}` : "role"}
      form={roleForm(parts)}
      record={copied ?? blank}
      valuesOf={valuesOf(tree)}
      save={(values) => api.post<RoleDetail>("/role", { ...values, ...copyOf })}
    />
  );
}

interface Editing extends FormParts {
  overlay: Overlay<RoleDetail>;
  role: RoleDetail;
}

/** The dialog that edits a role; it closes with the role as it was saved. */
export function editRole({ overlay, role, ...parts }: Editing) {
  return (
    <FormDialog
      overlay={overlay}
      title={parts.t("role.edit")}
      draft="role"
      form={roleForm(parts, role)}
      record={role}
      valuesOf={valuesOf(parts.tree)}
      save={({ code: _fixed, ...values }, { id, version }) => api.put<RoleDetail>("/role", { ...values, id, version })}
    />
  );
}

/** The dialog that decides what a role holds, and nothing else of it. */
export function grantRole({ overlay, role, t, tree }: Omit<Editing, "grants">) {
  const schema = z.object({ menuIds: rules(t).ids() });
  const form: Form<z.output<typeof schema>> = { schema, fields: [treeField(tree)] };
  return (
    <FormDialog
      overlay={overlay}
      title={t("role.grantTitle", { name: role.label })}
      draft="role.grant"
      form={form}
      record={role}
      valuesOf={valuesOf(tree)}
      save={({ menuIds }, { id, version }) => api.put<RoleDetail>("/role/menu", { id, version, menuIds })}
    />
  );
}

interface StandardDialog {
  overlay: Overlay<number[]>;
  t: Translate;
  missing: readonly StandardRole[];
}

/** The dialog that adds standard roles; it closes with their ids. */
export function standardRoles({ overlay, t, missing }: StandardDialog) {
  return (
    <FormDialog
      overlay={overlay}
      title={t("role.addStandard")}
      submit={t("role.addThem")}
      form={{
        schema: z.object({ codes: z.array(z.string()).check(z.minLength(1, t("ui.rule.required"))) }),
        fields: [
          {
            name: "codes",
            label: "role.missing",
            kind: "boxes",
            required: true,
            wide: true,
            choices: missing.map(({ code, name, about }) => ({ value: code, label: `${name} · ${about}` })),
          },
        ],
      }}
      record={{ codes: missing.map(({ code }) => code) }}
      save={(values) => api.post<number[]>("/role/standard", values)}
    />
  );
}
