/** /finance/partner/:id: the statement of one channel and month: who has to act, its items, what is paid of it and what was answered. */

import type { PartnerItemRow, PartnerStatementRow, PayoutRow } from "../../../lib/api-types";
import { EMPTY, minute, money } from "../../../lib/format";
import { type Translate, useT } from "../../../lib/i18n";
import { useListQuery } from "../../../lib/list-query";
import { usePageData, useViewer } from "../../../lib/props";
import { formatQuery } from "../../../lib/query-string";
import { useLocation } from "../../../lib/visit";
import { useActions } from "../../../ui/actions";
import { Description } from "../../../ui/description";
import { DetailPage, type DetailTab } from "../../../ui/detail-page";
import type { Field } from "../../../ui/field";
import { ListTable } from "../../../ui/list-table";
import { rowActions } from "../../../ui/row-actions";
import { linkedFields } from "../../../ui/record-link";
import { RecordState } from "../../../ui/record-state";
import { LoadedTimeline } from "../../../ui/timeline";
import { partnerItemFields } from "../partner-item/fields";
import { payoutActions } from "../payout/actions";
import { payoutFields } from "../payout/fields";
import { partnerStatementActions } from "./actions";
import { partnerStatementFields, partnerStatementTitles } from "./fields";

/** The fields of the page: the names of other records are links. */
const fields = linkedFields(partnerStatementFields);

export default function PartnerStatementDetail() {
  return (
    <DetailPage<PartnerStatementRow>
      load="statement"
      list={{ href: "/finance/partner", title: "partner.title" }}
      points="finance/partner"
      title={({ channelName, month }) => `${channelName} ${month}`}
      status="status"
      sentence={(row) => <State row={row} />}
      facts={["totalCents", "taxCents", "netCents", "askedCents", "paidCents", "items", "proofFiles"]}
      fields={fields}
      actions={partnerStatementActions}
      tabs={tabs}
    />
  );
}

/** Whether the channel agrees, what is left to pay, or who has to act. */
function State({ row }: { row: PartnerStatementRow }) {
  return <RecordState text={stateOf(row, useT())} decision={row.decision} />;
}

function stateOf(
  { status, channelName: channel, netCents, askedCents, paidCents, decision, ...row }: PartnerStatementRow,
  t: Translate,
): string {
  const state = t(`partner.state.${status}`, {
    status: t(`PartnerStatementStatus.${status}`),
    channel,
    net: money(netCents),
    paid: money(paidCents),
    left: money(netCents - askedCents),
    sent: minute(row.sentAt),
    until: minute(row.linkEndsAt),
    note: row.answerNote ?? EMPTY,
  });
  return decision ? state + t("partner.state.asked", { names: decision.makerNames, note: decision.note ?? "" }) : state;
}

const tabs: readonly DetailTab<PartnerStatementRow>[] = [
  { name: "details", label: "ui.details", show: (row) => <Description wide fields={fields} row={row} /> },
  { name: "items", label: "partner.itemsTab", show: (row) => <Items statement={row} /> },
  { name: "payouts", label: "payout.tab", show: () => <Payouts /> },
  {
    name: "history",
    label: "ui.history",
    show: () => <LoadedTimeline load="history" fields={partnerStatementFields} titles={partnerStatementTitles} />,
  },
];

/** The calls answer their rows in one order: none of the fields sorts. */
const itemFields = partnerItemFields.filter(({ key }) => ["day", "kind", "amountCents", "visitors"].includes(key));
const SHOWN: readonly (keyof PayoutRow)[] = [
  "payoutNo",
  "amountCents",
  "taxCents",
  "status",
  "decision",
  "bankNumber",
  "paidAt",
  "creatorName",
];
const shownPayoutFields: readonly Field<PayoutRow>[] = SHOWN.flatMap((key) =>
  payoutFields.filter((field) => field.key === key).map((field) => ({ ...field, sort: false })),
);

/** The first items of the statement, and the way to all of them and to their file. */
function Items({ statement: { id, items } }: { statement: PartnerStatementRow }) {
  const t = useT();
  const query = useListQuery();
  const { pathname } = useLocation();
  const { data, desc } = usePageData<PartnerItemRow[] | null>("items");
  if (data === null) return <p className="ll-quiet">{desc}</p>;
  if (data.length === 0) return <p className="ll-quiet">{t("partner.noItems")}</p>;
  return (
    <>
      <p className="ll-quiet">
        {t("partner.itemsShown", { shown: data.length, count: items })}{" "}
        <a className="ll-link" href={`/finance/partner/items${formatQuery({ statementId: id })}`}>
          {t("partner.allItems")}
        </a>
      </p>
      <ListTable
        label={t("partner.itemsTab")}
        rows={data}
        fields={itemFields}
        query={query}
        pathname={pathname}
        density="normal"
        loading={false}
      />
    </>
  );
}

/** The payouts of the statement, with what can be done with each. */
function Payouts() {
  const t = useT();
  const viewer = useViewer();
  const query = useListQuery();
  const { pathname } = useLocation();
  const [list, act, overlays] = useActions("finance/partner");
  const { data, desc } = usePageData<PayoutRow[] | null>("payouts");
  return (
    <>
      {data === null && <p className="ll-quiet">{desc}</p>}
      {data?.length === 0 && <p className="ll-quiet">{t("payout.none")}</p>}
      {data && data.length > 0 && (
        <ListTable
          label={t("payout.tab")}
          rows={data}
          fields={shownPayoutFields}
          query={query}
          pathname={pathname}
          density="normal"
          loading={false}
          actions={viewer ? rowActions(payoutActions, viewer, list, act) : undefined}
        />
      )}
      {overlays}
    </>
  );
}
