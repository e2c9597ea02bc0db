/** What is done with a payee, in the list and on the payee's page. */
import type { PayeeRow, RevealedPayee } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { useHasPoint } from "../../../lib/permissions";
import { useViewer } from "../../../lib/props";
import type { List, RowAction } from "../../../ui/actions";
import { Description } from "../../../ui/description";
import { mayReview, proposalActions } from "../../../ui/proposal-actions";
import { accountFields } from "./fields";

export const payeeActions: readonly RowAction<PayeeRow>[] = [
  ...proposalActions<PayeeRow>({
    path: "/org/payee",
    points: ["audit", "update"],
    name: ({ name }) => name,
    details: (row) => <ProposedAccount row={row} />,
  }),
  { label: "payee.editAction", point: "update", run: edit },
  { label: "payee.delete", point: "delete", danger: true, run: remove },
];

/** The account that awaits approval beside the one in use. Those who may decide on it may reveal both. */
export function ProposedAccount({ row }: { row: PayeeRow }) {
  const viewer = useViewer();
  const mayReveal = useHasPoint(["org/payee/reveal"]);
  const mayDecide = useHasPoint(["org/payee/audit"]);
  const reveals = mayReveal || (mayDecide && viewer !== null && mayReview(row, viewer.id));
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

export async function edit(row: PayeeRow | undefined, { t, open, reload }: List) {
  const { payeeDialog } = await import("./form");
  const saved = await open<PayeeRow>((overlay) => payeeDialog({ overlay, t, row }));
  if (saved) await reload(saved.proposed ? "payee.savedProposed" : "payee.saved");
}

async function remove({ id, name }: PayeeRow, { t, confirm, removed }: List) {
  const title = t("payee.deleteTitle", { name });
  if (!(await confirm({ title, text: t("payee.deleteText"), confirm: t("payee.delete"), danger: true }))) return;
  await api.del(`/org/payee/${id}`);
  await removed("payee.deleted");
}
