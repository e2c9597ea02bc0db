/** /user/mate-channel-list: channels' questions whether an applicant is wanted, by day. */
import type { MatchDay } from "../../../lib/api-types";
import { rateOf } from "../../../lib/format";
import { type Field, toChannel } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";
import { ListPage, type RowAction } from "../../../ui/list-page";
import { MatchTabs } from "./tabs";

export const fields: readonly Field<MatchDay>[] = [
  { key: "day", title: "match.day", kind: "code", sort: true },
  { key: "channelName", title: "match.channel", link: toChannel },
  { key: "asked", title: "match.asked", kind: "count", total: true },
  { key: "matched", title: "match.matched", kind: "count", total: true },
  { key: "matchBp", title: "match.rate", kind: "basisPoints", total: true, show: ({ matchBp, asked }) => rateOf(matchBp, asked) },
  { key: "known", title: "match.known", kind: "count", total: true },
  { key: "refused", title: "match.refused", kind: "count", total: true },
  { key: "noPlan", title: "match.noPlan", kind: "count", total: true },
  { key: "test", title: "match.test", kind: "count", total: true },
];

const filters: readonly Filter[] = [
  { name: "day", label: "match.day", kind: "days" },
  { name: "channelId", label: "match.channel", kind: "select", options: { load: "channels", search: "/channel/options" } },
];

export const actions: readonly RowAction<MatchDay>[] = [
  {
    label: "match.rows",
    point: "user/match-list/list",
    run: ({ day, channelId }, { go }) =>
      go(`/user/match-list?channelId=${channelId}&direction=inbound&createdFrom=${day}&createdTo=${day}`),
  },
];

export default function MatchDayList() {
  return (
    <>
      <MatchTabs current="/user/mate-channel-list" />
      <ListPage
        title="match.daysTitle"
        empty="match.daysEmpty"
        api="/user/matchUv"
        points="user/mate-channel-list"
        fields={fields}
        filters={filters}
        actions={actions}
      />
    </>
  );
}
