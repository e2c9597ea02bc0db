/** The fields and filters of what channels are owed for. */
import type { PartnerItemRow } from "../../../lib/api-types";
import { partnerItemKindCodes } from "../../../lib/codes";
import { EMPTY } from "../../../lib/format";
import { type Field, toChannel } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";
import type headings from "./headings.zh.json";

type Headings = typeof headings;

declare module "../../../lib/messages" {
  interface Texts extends Headings {}
}

export const partnerItemFields: readonly Field<PartnerItemRow>[] = [
  { key: "day", title: "partnerItem.day", kind: "code" },
  { key: "channelName", title: "partnerItem.channelName", link: toChannel },
  { key: "kind", title: "partnerItem.kind", kind: "enum", labels: "PartnerItemKind" },
  { key: "amountCents", title: "partnerItem.amountCents", kind: "money", total: true },
  { key: "visitors", title: "partnerItem.visitors", kind: "count", total: true },
  {
    key: "statementNo",
    title: "partnerItem.statementNo",
    kind: "code",
    show: ({ statementId, statementNo }) =>
      statementId === null ? (
        EMPTY
      ) : (
        <a className="ll-link" href={`/finance/partner/${statementId}`}>
          {statementNo}
        </a>
      ),
  },
  { key: "at", title: "partnerItem.at", kind: "time", sort: true },
];

export const partnerItemFilters: readonly Filter[] = [
  { name: "channelId", label: "partnerItem.channelName", kind: "select", options: { load: "channels", search: "/channel/options" } },
  { name: "kind", label: "partnerItem.kind", kind: "select", options: { codes: partnerItemKindCodes, labels: "PartnerItemKind" } },
  { name: "statementId", label: "partner.statementNumber", kind: "text" },
];
