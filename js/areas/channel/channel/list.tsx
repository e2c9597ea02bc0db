/** /channel/list: the channels that send us traffic. */
import type { ChannelNow, SelectOption } from "../../../lib/api-types";
import { useFieldChoices } from "../../../lib/choices";
import { useHasPoint } from "../../../lib/permissions";
import { useLoaded } from "../../../lib/props";
import { ListPage } from "../../../ui/list-page";
import { batch, create, rowActions } from "./actions";
import { channelFields, channelFilters } from "./fields";

const addressOf = ({ id }: ChannelNow) => `/channel/list/${id}`;

export default function ChannelList() {
  useFieldChoices();
  const owners = useLoaded<SelectOption[]>("owners") ?? [];
  const mayView = useHasPoint(["channel/list/view"]);
  return (
    <ListPage<ChannelNow>
      title="channel.title"
      empty="channel.empty"
      api="/channel"
      points="channel/list"
      fields={channelFields}
      filters={channelFilters}
      href={mayView ? addressOf : undefined}
      create={{ label: "channel.create", run: (list) => create(list, owners) }}
      actions={rowActions(owners)}
      batch={batch}
    />
  );
}
