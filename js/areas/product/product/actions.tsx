/** What is done with a product, in the list and on the product's page. */
import type { CheckRow, ProductRow, ProductStatus, ProductsChanged, SelectOption } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { refreshChoices } from "../../../lib/choices";
import { productStatusSteps } from "../../../lib/codes";
import { notify } from "../../../lib/toast";
import type { BatchAction, List, RowAction } from "../../../ui/actions";

const change: RowAction<ProductRow> = {
  label: "product.editAction",
  point: "update",
  when: ({ status }) => status !== "archived",
  run: (row, list) => edit(list, { row }),
};

const steps: readonly RowAction<ProductRow>[] = [
  {
    label: "product.online",
    point: "status",
    when: ({ status }) => productStatusSteps[status].includes("online"),
    run: changeTo("online"),
  },
  {
    label: "product.offline",
    point: "status",
    when: ({ status }) => productStatusSteps[status].includes("offline"),
    run: changeTo("offline"),
  },
];

const check: RowAction<ProductRow> = { label: "product.comply", point: "admin/test/check", run: comply };

const others: readonly RowAction<ProductRow>[] = [
  { label: "product.copy", point: "create", run: (copied, list) => edit(list, { copied }) },
  {
    label: "product.archive",
    point: "status",
    danger: true,
    when: ({ status }) => productStatusSteps[status].includes("archived"),
    run: changeTo("archived"),
  },
  { label: "product.delete", point: "delete", danger: true, when: ({ status }) => status !== "online", run: remove },
];

/** In the list, where editing is most frequent. */
export const rowActions: readonly RowAction<ProductRow>[] = [
  change,
  ...steps,
  check,
  { label: "product.checks", point: "admin/test/list", run: ({ id }, { go }) => go(checksOf(id)) },
  ...others,
  { label: "uv.visits", point: "product/uv-list/list", run: ({ id }, { go }) => go(`/product/uv-list?subjectId=${id}`) },
];

/** On the page of a product, which has links to its checks and visits. */
export const pageActions: readonly RowAction<ProductRow>[] = [...steps, change, check, ...others];

export const batch: readonly BatchAction<ProductRow>[] = [
  { label: "product.online", icon: "check", point: "status", run: changeMany("online") },
  { label: "product.offline", icon: "pause", point: "status", run: changeMany("offline") },
];

export const checksOf = (id: number) => `/admin/test?targetType=product&targetId=${id}`;

export async function edit({ t, open, reload }: List, which: { row?: ProductRow; copied?: ProductRow } = {}) {
  const [{ productDialog }, orgs] = await Promise.all([
    import("./form"),
    api.get<SelectOption[]>("/org/options", { active: true }),
    refreshChoices(),
  ]);
  const { row } = which;
  const copied = which.copied && { ...which.copied, logoFileId: await copyOfLogo(which.copied) };
  const saved = await open<ProductRow>((overlay) => productDialog({ overlay, t, orgs, row, copied }));
  if (saved) await reload(row ? "product.saved" : "product.created");
}

async function copyOfLogo({ logoFileId, logoFileName }: ProductRow): Promise<number | null> {
  if (logoFileId === null) return null;
  const { uploadAgain } = await import("../../../lib/upload");
  return (await uploadAgain(logoFileId, logoFileName ?? "", "product_logo"))?.id ?? null;
}

/** The question before a status is set. */
const questions = {
  online: { title: "product.onlineTitle", text: "product.onlineText", confirm: "product.online" },
  offline: { title: "product.offlineTitle", text: "product.offlineText", confirm: "product.offline" },
  archived: { title: "product.archiveTitle", text: "product.archiveText", confirm: "product.archive" },
} as const;

function changeTo(status: Exclude<ProductStatus, "draft">): RowAction<ProductRow>["run"] {
  return async ({ id, version, name }, { t, confirm, reload }) => {
    const { title, text, confirm: verb } = questions[status];
    const danger = status === "archived";
    if (!(await confirm({ title: t(title, { name }), text: t(text), confirm: t(verb), danger }))) return;
    await api.put("/product/status", { id, version, status });
    await reload("product.statusDone");
  };
}

/** Puts those of the picked products online or offline that can be, and shows refusals. */
function changeMany(status: "online" | "offline"): BatchAction<ProductRow>["run"] {
  return async (rows, { t, open, confirm, reload, can }) => {
    const products = rows.filter((row) => productStatusSteps[row.status].includes(status)).map(({ id, version }) => ({ id, version }));
    const { text, confirm: verb } = questions[status];
    if (products.length === 0) return notify("info", t(status === "online" ? "product.noneOnline" : "product.noneOffline"));
    const title = t(status === "online" ? "product.onlineManyTitle" : "product.offlineManyTitle", { count: products.length });
    if (!(await confirm({ title, text: t(text), confirm: t(verb) }))) return;
    const outcome = await api.put<ProductsChanged>("/product/statusMany", { products, status });
    if (outcome.refused.length === 0) return reload("product.statusDone");
    await reload();
    const { showRefused } = await import("./refused");
    await open((overlay) => showRefused({ overlay, outcome, checks: can("admin/test/list") ? checksOf : undefined }));
  };
}

/** Runs the compliance check of the product, and shows the result. */
async function comply({ id }: ProductRow, { open }: List) {
  const { showCheck } = await import("../../../ui/check-result");
  const check = await api.post<CheckRow>("/compliance/check", { targetType: "product", targetId: id });
  await open((overlay) => showCheck({ overlay, check, history: checksOf(id) }));
}

async function remove({ id, name }: ProductRow, { t, confirm, removed }: List) {
  const title = t("product.deleteTitle", { name });
  if (!(await confirm({ title, text: t("product.deleteText"), confirm: t("product.delete"), danger: true }))) return;
  await api.del(`/product/${id}`);
  await removed("product.deleted");
}
