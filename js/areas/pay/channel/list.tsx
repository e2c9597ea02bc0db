/** /payConfig/list: the payee channels by which organisations pay. */
import type { PayeeChannelRow, SelectOption } from "../../../lib/api-types";
import { useHasPoint } from "../../../lib/permissions";
import { useLoaded } from "../../../lib/props";
import { ListPage } from "../../../ui/list-page";
import { edit, rowActions } from "./actions";
import { payeeChannelFields, payeeChannelFilters } from "./fields";

const addressOf = ({ id }: PayeeChannelRow) => `/payConfig/list/${id}`;

export default function PayeeChannels() {
  const payees = useLoaded<SelectOption[]>("payees") ?? [];
  const mayView = useHasPoint(["payConfig/list/view"]);
  return (
    <ListPage<PayeeChannelRow>
      title="payeeChannel.title"
      empty="payeeChannel.empty"
      api="/payChannel"
      points="payConfig/list"
      fields={payeeChannelFields}
      filters={payeeChannelFilters}
      href={mayView ? addressOf : undefined}
      create={{ label: "payeeChannel.create", run: (list) => edit(undefined, list, payees) }}
      actions={rowActions(payees)}
    />
  );
}
