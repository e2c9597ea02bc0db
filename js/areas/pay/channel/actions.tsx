/** What may be done with a payee channel in its list. */
import type { PayeeChannelRow, SelectOption } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import type { List, RowAction } from "../../../ui/actions";
import { Description } from "../../../ui/description";
import { proposalActions } from "../../../ui/proposal-actions";
import { isOnline, payeeChannelFields, payeeChannelTitles, shownFields } from "./fields";

export const channelActions: readonly RowAction<PayeeChannelRow>[] = [
  ...proposalActions<PayeeChannelRow>({
    path: "/payChannel",
    points: ["status", "update"],
    name: ({ name }) => name,
    details: (row) => <Description fields={shownFields} row={{ ...row, ...row.proposed }} previous={row} />,
  }),
  {
    label: "payeeChannel.enable",
    point: "status",
    when: (row, viewer) => row.status === "disabled" && mayEnable(row, viewer.id),
    run: enable,
  },
  { label: "payeeChannel.disable", point: "status", danger: true, when: ({ status }) => status === "enabled", run: disable },
  { label: "payeeChannel.delete", point: "delete", danger: true, run: remove },
];

/** Disabled for the person who set the channel's parameters. */
const mayEnable = ({ keysBy }: PayeeChannelRow, viewer: number) => !keysBy.includes(viewer);

export async function view(row: PayeeChannelRow, { t, open }: List) {
  const { DetailDrawer } = await import("../../../ui/detail-drawer");
  await open((overlay) => (
    <DetailDrawer
      overlay={overlay}
      title={row.name}
      row={row}
      fields={payeeChannelFields}
      record={`/payChannel/${row.id}`}
      history={`/payChannel/history/${row.id}`}
      titles={payeeChannelTitles}
    >
      {row.proposed && (
        <>
          <h3 className="ll-details-title">{t("proposal.title")}</h3>
          <Description fields={shownFields} row={{ ...row, ...row.proposed }} previous={row} />
        </>
      )}
    </DetailDrawer>
  ));
}

/** Opens the form of a channel; of a new one without a row. */
export async function edit(row: PayeeChannelRow | undefined, { t, open, reload }: List, payees: readonly SelectOption[]) {
  const { channelDialog } = await import("./form");
  const saved = await open<PayeeChannelRow>((overlay) => channelDialog({ overlay, t, payees, row }));
  if (!saved) return;
  const isStopped = row?.status === "enabled" && saved.status === "disabled";
  await reload(
    saved.proposed
      ? "payeeChannel.savedProposed"
      : isStopped
        ? "payeeChannel.savedDisabled"
        : row
          ? "payeeChannel.saved"
          : "payeeChannel.created",
  );
}

async function enable({ id, version, name, provider }: PayeeChannelRow, { t, confirm, reload }: List) {
  const title = t("payeeChannel.enableTitle", { name });
  const text = t(isOnline(provider) ? "payeeChannel.enableOnlineText" : "payeeChannel.enableText");
  if (!(await confirm({ title, text, confirm: t("payeeChannel.enable") }))) return;
  await api.put("/payChannel/status", { id, version, status: "enabled" });
  await reload("payeeChannel.enabled");
}

async function disable({ id, version, name }: PayeeChannelRow, { t, confirm, reload }: List) {
  const title = t("payeeChannel.disableTitle", { name });
  if (!(await confirm({ title, text: t("payeeChannel.disableText"), confirm: t("payeeChannel.disable"), danger: true }))) return;
  await api.put("/payChannel/status", { id, version, status: "disabled" });
  await reload("payeeChannel.disabled");
}

async function remove({ id, name }: PayeeChannelRow, { t, confirm, reload }: List) {
  const title = t("payeeChannel.deleteTitle", { name });
  if (!(await confirm({ title, text: t("payeeChannel.deleteText"), confirm: t("payeeChannel.delete"), danger: true }))) return;
  await api.del(`/payChannel/${id}`);
  await reload("payeeChannel.deleted");
}
