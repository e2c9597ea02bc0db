/** /org/payee: the platform's legal bodies, which organisations pay. */
import type { PayeeRow, RevealedPayee } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { useViewer } from "../../../lib/props";
import { Description } from "../../../ui/description";
import { type List, ListPage, type RowAction } from "../../../ui/list-page";
import { mayReview, proposalActions } from "../../../ui/proposal-actions";
import { OrgTabs } from "../tabs";
import { accountFields, payeeFields, payeeFilters, payeeTitles } from "./fields";

export default function PayeeList() {
  return (
    <>
      <OrgTabs current="/org/payee" />
      <ListPage
        title="payee.title"
        empty="payee.empty"
        api="/org/payee"
        points="org/payee"
        fields={payeeFields}
        filters={payeeFilters}
        create={{ label: "payee.create", run: (list) => edit(undefined, list) }}
        actions={actions}
      />
    </>
  );
}

const actions: readonly RowAction<PayeeRow>[] = [
  { label: "payee.view", point: "list", run: view },
  ...proposalActions<PayeeRow>({
    path: "/org/payee",
    points: ["audit", "update"],
    name: ({ name }) => name,
    details: (row, { can }) => <ProposedAccount row={row} can={can} />,
  }),
  { label: "payee.editAction", point: "update", run: edit },
  { label: "payee.delete", point: "delete", danger: true, run: remove },
];

/** The account that awaits approval beside the one in use. Those who may decide on it may reveal both. */
function ProposedAccount({ row, can }: { row: PayeeRow; can: List["can"] }) {
  const viewer = useViewer();
  const reveals = can("reveal") || (can("audit") && viewer !== null && mayReview(row, viewer.id));
  const bankAccountMask = async () => {
    const { proposed, bankAccount } = await api.get<RevealedPayee>(`/org/payee/reveal/${row.id}`);
    return proposed === null ? bankAccount : { before: bankAccount, after: proposed };
  };
  return (
    <Description
      fields={accountFields}
      row={{ ...row, ...row.proposed }}
      previous={row}
      differing={row.proposed?.isAnotherAccount ? ["bankAccountMask"] : []}
      reveals={reveals ? { bankAccountMask } : undefined}
    />
  );
}

async function view(row: PayeeRow, { t, open, can }: List) {
  const { DetailDrawer } = await import("../../../ui/detail-drawer");
  const bankAccountMask = async () => (await api.get<RevealedPayee>(`/org/payee/reveal/${row.id}`)).bankAccount;
  await open((overlay) => (
    <DetailDrawer
      overlay={overlay}
      title={row.name}
      row={row}
      fields={payeeFields}
      record={`/org/payee/${row.id}`}
      history={`/org/payee/history/${row.id}`}
      titles={payeeTitles}
      reveals={can("reveal") ? { bankAccountMask } : undefined}
    >
      {row.proposed && (
        <>
          <h3 className="ll-details-title">{t("proposal.title")}</h3>
          <ProposedAccount row={row} can={can} />
        </>
      )}
    </DetailDrawer>
  ));
}

async function edit(row: PayeeRow | undefined, { t, open, reload }: List) {
  const { payeeDialog } = await import("./form");
  const saved = await open<PayeeRow>((overlay) => payeeDialog({ overlay, t, row }));
  if (saved) await reload(saved.proposed ? "payee.savedProposed" : "payee.saved");
}

async function remove({ id, name }: PayeeRow, { t, confirm, reload }: List) {
  const title = t("payee.deleteTitle", { name });
  if (!(await confirm({ title, text: t("payee.deleteText"), confirm: t("payee.delete"), danger: true }))) return;
  await api.del(`/org/payee/${id}`);
  await reload("payee.deleted");
}
