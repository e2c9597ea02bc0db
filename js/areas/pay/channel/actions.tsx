/** What is done with a payee channel, in the list and on the channel's page. */
import type { PayeeChannelRow, SelectOption } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import type { List, RowAction } from "../../../ui/actions";
import { proposalActions } from "../../../ui/proposal-actions";
import { isOnline } from "./fields";
import { ProposedTexts } from "./proposed";

const change = (payees: readonly SelectOption[]): RowAction<PayeeChannelRow> => ({
  label: "payeeChannel.editAction",
  point: "update",
  run: (row, list) => edit(row, list, payees),
});

const decisions: readonly RowAction<PayeeChannelRow>[] = [
  ...proposalActions<PayeeChannelRow>({
    path: "/payChannel",
    points: ["status", "update"],
    name: ({ name }) => name,
    details: (row) => <ProposedTexts row={row} />,
  }),
  {
    label: "payeeChannel.enable",
    point: "status",
    when: (row, viewer) => row.status === "disabled" && mayEnable(row, viewer.id),
    run: enable,
  },
  { label: "payeeChannel.disable", point: "status", danger: true, when: ({ status }) => status === "enabled", run: disable },
];

const deletion: RowAction<PayeeChannelRow> = { label: "payeeChannel.delete", point: "delete", danger: true, run: remove };

/** In the list, where editing is most frequent. */
export const rowActions = (payees: readonly SelectOption[]): readonly RowAction<PayeeChannelRow>[] => [
  change(payees),
  ...decisions,
  deletion,
];

/** On the page of a channel, where a decision comes first. */
export const pageActions = (payees: readonly SelectOption[]): readonly RowAction<PayeeChannelRow>[] => [
  ...decisions,
  change(payees),
  deletion,
];

/** Disabled for the person who set the channel's parameters. */
const mayEnable = ({ keysBy }: PayeeChannelRow, viewer: number) => !keysBy.includes(viewer);

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

async function remove({ id, name }: PayeeChannelRow, { t, confirm, removed }: List) {
  const title = t("payeeChannel.deleteTitle", { name });
  if (!(await confirm({ title, text: t("payeeChannel.deleteText"), confirm: t("payeeChannel.delete"), danger: true }))) return;
  await api.del(`/payChannel/${id}`);
  await removed("payeeChannel.deleted");
}
