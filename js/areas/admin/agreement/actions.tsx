/** What can be done with agreements, in the list and on the page of one. */
import { api } from "../../../lib/api";
import type { AgreementDetail, AgreementRow } from "../../../lib/api-types";
import type { List, RowAction } from "../../../ui/actions";

export const agreementActions: readonly RowAction<AgreementRow>[] = [
  { label: "agreement.editAction", point: "update", run: edit },
  { label: "agreement.delete", point: "delete", danger: true, when: ({ consents }) => consents === 0, run: remove },
];

export async function create({ t, open, reload }: List) {
  const { agreementDialog } = await import("./form");
  if (await open<AgreementDetail>((overlay) => agreementDialog({ overlay, t, row: undefined }))) await reload("agreement.created");
}

async function edit({ id }: AgreementRow, { t, open, reload }: List) {
  const [{ agreementDialog }, row] = await Promise.all([import("./form"), api.get<AgreementDetail>(`/agreement/${id}`)]);
  if (await open<AgreementDetail>((overlay) => agreementDialog({ overlay, t, row }))) await reload("agreement.saved");
}

async function remove({ id, name, edition }: AgreementRow, { t, confirm, removed }: List) {
  const title = t("agreement.deleteTitle", { name: `${name} ${edition}` });
  if (!(await confirm({ title, text: t("agreement.deleteText"), confirm: t("agreement.delete"), danger: true }))) return;
  await api.del(`/agreement/${id}`);
  await removed("agreement.deleted");
}
