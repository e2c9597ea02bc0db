/** /admin/agreement: the texts that applicants consent to, in their versions. */
import { api } from "../../../lib/api";
import type { AgreementDetail, AgreementRow } from "../../../lib/api-types";
import { type List, ListPage, type RowAction } from "../../../ui/list-page";
import { agreementFields, agreementFilters } from "./fields";

export default function Agreements() {
  return (
    <ListPage
      title="agreement.title"
      empty="agreement.empty"
      api="/agreement"
      points="admin/agreement"
      fields={agreementFields}
      filters={agreementFilters}
      create={{ label: "agreement.create", run: create }}
      actions={actions}
    />
  );
}

export const actions: readonly RowAction<AgreementRow>[] = [
  { label: "agreement.view", point: "list", run: view },
  { label: "agreement.editAction", point: "update", run: edit },
  { label: "agreement.delete", point: "delete", danger: true, when: ({ consents }) => consents === 0, run: remove },
];

async function create({ t, open, reload }: List) {
  const { agreementDialog } = await import("./form");
  if (await open<AgreementDetail>((overlay) => agreementDialog({ overlay, t, row: undefined }))) await reload("agreement.created");
}

async function edit({ id }: AgreementRow, { t, open, reload }: List) {
  const [{ agreementDialog }, row] = await Promise.all([import("./form"), api.get<AgreementDetail>(`/agreement/${id}`)]);
  if (await open<AgreementDetail>((overlay) => agreementDialog({ overlay, t, row }))) await reload("agreement.saved");
}

async function view(row: AgreementRow, { t, open }: List) {
  const [{ DetailDrawer }, { text }] = await Promise.all([
    import("../../../ui/detail-drawer"),
    api.get<AgreementDetail>(`/agreement/${row.id}`),
  ]);
  await open((overlay) => (
    <DetailDrawer
      overlay={overlay}
      title={`${row.name} ${row.edition}`}
      row={row}
      fields={agreementFields}
      record={`/agreement/${row.id}`}
      history={`/agreement/history/${row.id}`}
    >
      <h3 className="ll-details-title">{t("agreement.text")}</h3>
      {text === "" ? <p className="ll-quiet">{t("agreement.noText")}</p> : <p className="ll-agreement-text">{text}</p>}
    </DetailDrawer>
  ));
}

async function remove({ id, name, edition }: AgreementRow, { t, confirm, reload }: List) {
  const title = t("agreement.deleteTitle", { name: `${name} ${edition}` });
  if (!(await confirm({ title, text: t("agreement.deleteText"), confirm: t("agreement.delete"), danger: true }))) return;
  await api.del(`/agreement/${id}`);
  await reload("agreement.deleted");
}
