/** /payConfig/list: the payee channels by which organisations pay, and everything that is done with them. */
import type { SelectOption } from "../../../lib/api-types";
import { useLoaded } from "../../../lib/props";
import { ListPage } from "../../../ui/list-page";
import { channelActions, edit, view } from "./actions";
import { payeeChannelFields, payeeChannelFilters } from "./fields";

export default function PayeeChannels() {
  const payees = useLoaded<SelectOption[]>("payees") ?? [];
  return (
    <ListPage
      title="payeeChannel.title"
      empty="payeeChannel.empty"
      api="/payChannel"
      points="payConfig/list"
      fields={payeeChannelFields}
      filters={payeeChannelFilters}
      create={{ label: "payeeChannel.create", run: (list) => edit(undefined, list, payees) }}
      actions={[
        { label: "payeeChannel.view", point: "view", run: view },
        { label: "payeeChannel.editAction", point: "update", run: (row, list) => edit(row, list, payees) },
        ...channelActions,
      ]}
    />
  );
}
