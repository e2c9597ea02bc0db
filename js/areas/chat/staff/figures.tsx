/** /chat/manage/figures: how much each member of the staff has now, how soon they answer and close, and how they are rated. */
import type { ChatFigureRow } from "../../../lib/api-types";
import { EMPTY } from "../../../lib/format";
import type { Translate } from "../../../lib/i18n";
import type { Field } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";
import { ListPage } from "../../../ui/list-page";
import { CountLink } from "../count-link";
import { StaffTabs } from "./tabs";

const MINUTE = 60_000;

/** A span of time: seconds below a minute, minutes below an hour, then hours. */
function span(ms: number | null, t: Translate): string {
  if (ms === null) return EMPTY;
  if (ms < MINUTE) return t("chatFigure.seconds", { number: Math.round(ms / 1000) });
  if (ms < 60 * MINUTE) return t("chatFigure.minutes", { number: Math.round(ms / MINUTE) });
  return t("chatFigure.hours", { number: Math.round(ms / (6 * MINUTE)) / 10 });
}

/** A count of a member of the staff leads to their conversations; the sum to none. */
const linked = (id: number, number: number, query: string) =>
  id === 0 ? number : <CountLink number={number} list="/chat/conversation" query={`box=all&staffId=${id}&${query}`} />;

export const figureFields: readonly Field<ChatFigureRow>[] = [
  { key: "nickname", title: "chatFigure.nickname", sort: true },
  {
    key: "openNow",
    title: "chatFigure.openNow",
    kind: "count",
    sort: true,
    total: true,
    show: ({ id, openNow }) => linked(id, openNow, "status=open"),
  },
  {
    key: "waitingNow",
    title: "chatFigure.waitingNow",
    kind: "count",
    sort: true,
    total: true,
    show: ({ id, waitingNow }) => linked(id, waitingNow, "status=open&state=waiting"),
  },
  { key: "conversations", title: "chatFigure.conversations", kind: "count", sort: true, total: true },
  { key: "answered", title: "chatFigure.answered", kind: "count", total: true },
  { key: "firstReplyMs", title: "chatFigure.firstReplyMs", sort: true, total: true, show: ({ firstReplyMs }, t) => span(firstReplyMs, t) },
  { key: "lateReplies", title: "chatFigure.lateReplies", kind: "count", total: true },
  { key: "closed", title: "chatFigure.closed", kind: "count", total: true },
  { key: "closeMs", title: "chatFigure.closeMs", sort: true, total: true, show: ({ closeMs }, t) => span(closeMs, t) },
  { key: "lateCloses", title: "chatFigure.lateCloses", kind: "count", total: true },
  { key: "rated", title: "chatFigure.rated", kind: "count", total: true, list: "hidden" },
  {
    key: "ratingHundredths",
    title: "chatFigure.ratingHundredths",
    sort: true,
    total: true,
    show: ({ ratingHundredths }) => (ratingHundredths === null ? EMPTY : (ratingHundredths / 100).toFixed(2)),
  },
  { key: "phoneVerified", title: "chatFigure.phoneVerified", kind: "count", total: true, list: "hidden" },
  { key: "phoneUnverified", title: "chatFigure.phoneUnverified", kind: "count", total: true, list: "hidden" },
];

export const figureFilters: readonly Filter[] = [
  { name: "created", label: "chatFigure.created", kind: "days" },
  { name: "groupId", label: "chatStaff.groupNames", kind: "select", options: { load: "groups" } },
];

export default function Figures() {
  return (
    <>
      <StaffTabs current="/chat/manage/figures" />
      <ListPage<ChatFigureRow>
        title="chatFigure.title"
        empty="chatFigure.empty"
        api="/chat/figures"
        points="chat/manage"
        fields={figureFields}
        filters={figureFilters}
      />
    </>
  );
}
