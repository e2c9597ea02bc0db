/** /payConfig/order-list/statements/:id: the payments of a channel on one day: whether the day can be closed, and what happened to it. */
import type { PaymentStatementRow } from "../../../lib/api-types";
import { count, EMPTY, minute } from "../../../lib/format";
import { type Translate, useT } from "../../../lib/i18n";
import { buttonClass } from "../../../ui/button";
import { Description } from "../../../ui/description";
import { DetailPage } from "../../../ui/detail-page";
import type { Field } from "../../../ui/field";
import { RecordLink } from "../../../ui/record-link";
import { RecordState } from "../../../ui/record-state";
import { LoadedTimeline } from "../../../ui/timeline";
import { statementActions } from "./actions";
import { paymentStatementFields } from "./fields";

/** Shown in the head of the page. */
const HEAD: readonly string[] = ["status", "decision"];

/** The fields of the page: the names of the channel and of the payee are links. */
const linkedFields = paymentStatementFields.map((field): Field<PaymentStatementRow> => {
  if (field.key === "payeeChannelName") return { ...field, show: showChannel };
  return field.key === "payeeOrgName" ? { ...field, show: showPayee } : field;
});

const detailFields = linkedFields.filter(({ key }) => !HEAD.includes(key));

function showChannel({ payeeChannelId, payeeChannelName }: PaymentStatementRow) {
  return <RecordLink href={`/payConfig/list/${payeeChannelId}`} point="payConfig/list/view" name={payeeChannelName} />;
}

function showPayee({ payeeOrgId, payeeOrgName }: PaymentStatementRow) {
  return <RecordLink href={`/org/payee/${payeeOrgId}`} point="org/payee/list" name={payeeOrgName} />;
}

export default function StatementDetail() {
  return (
    <DetailPage<PaymentStatementRow>
      load="statement"
      list={{ href: "/payConfig/order-list/statements", title: "paymentStatement.title" }}
      points="payConfig/order-list"
      title={({ payeeChannelName: channel, day }, t) => t("paymentStatement.viewTitle", { channel, day })}
      status="status"
      sentence={(row) => <State row={row} />}
      facts={["payeeChannelName", "ourCents", "theirCents", "matchedCount", "openCount"]}
      fields={linkedFields}
      actions={statementActions}
      tabs={[
        { name: "details", label: "ui.details", show: (row) => <Details row={row} /> },
        { name: "history", label: "ui.history", show: () => <LoadedTimeline load="history" fields={paymentStatementFields} /> },
      ]}
    />
  );
}

/** Whether the day can be closed, who decides, or who closed it. */
function State({ row }: { row: PaymentStatementRow }) {
  return <RecordState text={stateOf(row, useT())} decision={row.status === "open" ? row.decision : null} />;
}

function stateOf({ status: code, decision, openCount, closerName, closedAt }: PaymentStatementRow, t: Translate): string {
  const status = t(`StatementDayStatus.${code}`);
  if (code === "closed") return t("paymentStatement.state.closed", { status, name: closerName ?? EMPTY, at: minute(closedAt) });
  if (decision) return t("paymentStatement.state.asked", { status, names: decision.makerNames });
  return openCount === 0
    ? t("paymentStatement.state.ready", { status })
    : t("paymentStatement.state.open", { status, open: count(openCount) });
}

/** Both sides of the day, and the links to its differences and to the payments of the channel. */
function Details({ row }: { row: PaymentStatementRow }) {
  const t = useT();
  return (
    <>
      <Description wide filled fields={detailFields} row={row} />
      <div className="ll-toolbar mt-4">
        <a className={buttonClass()} href={`/payConfig/order-list/differences?paymentStatementId=${row.id}`}>
          {t("paymentDifference.title")}
        </a>
        <a
          className={buttonClass()}
          href={`/payConfig/order-list?payeeChannelId=${row.payeeChannelId}&paidFrom=${row.day}&paidTo=${row.day}`}
        >
          {t("paymentOrder.title")}
        </a>
      </div>
    </>
  );
}
