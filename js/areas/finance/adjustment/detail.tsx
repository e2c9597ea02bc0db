/** /finance/account/adjustments/:id: one adjustment of an account: whether it was posted or who decides, and what happened to it. */
import type { AdjustmentRow } from "../../../lib/api-types";
import { type Translate, useT } from "../../../lib/i18n";
import { buttonClass } from "../../../ui/button";
import { Description } from "../../../ui/description";
import { DetailPage } from "../../../ui/detail-page";
import { linkedFields } from "../../../ui/record-link";
import { RecordState } from "../../../ui/record-state";
import { LoadedTimeline } from "../../../ui/timeline";
import { adjustmentActions, signed } from "./actions";
import { adjustmentFields } from "./fields";

/** Shown in the head of the page. */
const HEAD: readonly string[] = ["no", "status", "decision"];

/** The fields of the page: the name of the organisation is a link. */
const pageFields = linkedFields(adjustmentFields);

const detailFields = pageFields.filter(({ key }) => !HEAD.includes(key));

export default function AdjustmentDetail() {
  return (
    <DetailPage<AdjustmentRow>
      load="adjustment"
      list={{ href: "/finance/account/adjustments", title: "adjustment.title" }}
      points="finance/account"
      title={({ no }) => no}
      status="status"
      sentence={(row) => <State row={row} />}
      facts={["orgName", "part", "amountCents", "reason", "proofFiles"]}
      fields={pageFields}
      actions={adjustmentActions}
      tabs={[
        { name: "details", label: "ui.details", show: (row) => <Details row={row} /> },
        { name: "history", label: "ui.history", show: () => <LoadedTimeline load="history" fields={adjustmentFields} /> },
      ]}
    />
  );
}

/** Who decides on the adjustment, or whether it was posted. */
function State({ row }: { row: AdjustmentRow }) {
  return <RecordState text={stateOf(row, useT())} decision={row.status === "pending" ? row.decision : null} />;
}

function stateOf(row: AdjustmentRow, t: Translate): string {
  return t(`adjustment.state.${row.status}`, {
    status: t(`AdjustmentStatus.${row.status}`),
    org: row.orgName,
    part: t(`AccountPart.${row.part}`),
    amount: signed(row),
    names: row.decision?.makerNames ?? "",
    note: row.reviewNote ?? "",
  });
}

/** The data of the adjustment, and links to the account and, once it was posted, to its entry. */
function Details({ row }: { row: AdjustmentRow }) {
  const t = useT();
  return (
    <>
      <Description wide filled fields={detailFields} row={row} />
      <div className="ll-toolbar mt-4">
        <a className={buttonClass()} href={`/finance/account/${row.orgId}`}>
          {t("account.tab")}
        </a>
        {row.status === "approved" && (
          <a className={buttonClass()} href={`/finance/account/entries?keyword=${encodeURIComponent(row.no)}`}>
            {t("account.openEntries")}
          </a>
        )}
      </div>
    </>
  );
}
