/** /finance/account/overview: what moved this month, what accounts hold now, what of payments is open, and the last twelve months. */
import type { FinanceOverview, PaymentsOpen } from "../../lib/api-types";
import { count, money } from "../../lib/format";
import { type MessageKey, useT } from "../../lib/i18n";
import { useLoaded, usePageData } from "../../lib/props";
import { ChartCard } from "../../ui/chart-card";
import { FailedList } from "../../ui/list-state";
import { AccountTabs } from "./tabs";

const ADDRESS = "/finance/account/overview";

export default function Overview() {
  const t = useT();
  const answer = usePageData<FinanceOverview>("overview");
  // Empty for viewers who do not see payment orders.
  const payments = useLoaded<PaymentsOpen>("payments");
  if (answer.code !== "0000") return <FailedList answer={answer} address={ADDRESS} />;
  const { firstDay, lastDay, month, holds, charts } = answer.data;
  const entries = (kind: string) => `/finance/account/entries?kind=${kind}&atFrom=${firstDay}&atTo=${lastDay}`;
  return (
    <>
      <AccountTabs current={ADDRESS} />
      <section className="ll-card">
        <h1 className="ll-title">{t("finance.overviewTitle")}</h1>
        <p className="ll-quiet">{t("finance.thisMonth", { from: firstDay, to: lastDay })}</p>
        <div className="overview-today">
          <Figure label="finance.recharged" cents={month.rechargeCents} href={entries("recharge")} />
          <Figure label="finance.gifts" cents={month.giftCents} href={entries("gift")} />
          <Figure label="finance.spent" cents={month.spendCents} href={entries("lead_sale")} />
          <Figure label="finance.visits" cents={month.visitCents} href={entries("visit_charge")} />
          <Figure label="finance.refunded" cents={month.refundCents} href={entries("refund")} />
          <Figure label="finance.reversed" cents={month.reversalCents} href={entries("reversal")} />
        </div>
      </section>
      <section className="ll-card">
        <h2 className="ll-title">{t("finance.held")}</h2>
        <div className="overview-today">
          <Figure label="finance.balance" cents={holds.balanceCents} href="/finance/account?sort=balanceCents&order=desc" />
          <Figure label="finance.giftsHeld" cents={holds.giftCents} href="/finance/account?holds=gifts" />
          <Figure label="finance.onHold" cents={holds.frozenCents} href="/finance/account?holds=on_hold" />
          <Figure label="finance.owed" cents={holds.owedCents} href="/finance/account?holds=owes" />
        </div>
      </section>
      {payments && <Payments payments={payments} />}
      <div className="ll-charts">
        {charts.map((chart) => (
          <ChartCard key={chart.id} chart={chart} wide={charts.length === 1} />
        ))}
      </div>
    </>
  );
}

/** Open payments, exceptions and differences, each for the viewers who see them. */
function Payments({ payments: { dueCents, exceptions, differences } }: { payments: PaymentsOpen }) {
  const t = useT();
  return (
    <section className="ll-card">
      <h2 className="ll-title">{t("finance.payments")}</h2>
      <div className="overview-today">
        <Figure label="finance.paymentsDue" cents={dueCents} href="/payConfig/order-list?status=created" />
        {exceptions !== null && (
          <Figure label="finance.paymentExceptions" rows={exceptions} href="/payConfig/order-list/exceptions?status=open" />
        )}
        {differences !== null && (
          <Figure label="finance.paymentDifferences" rows={differences} href="/payConfig/order-list/differences?status=open" />
        )}
      </div>
    </section>
  );
}

type FigureProps = { label: MessageKey; href: string } & ({ cents: number } | { rows: number });

/** An amount, or a count, that opens the rows behind it. */
function Figure({ label, href, ...figure }: FigureProps) {
  const t = useT();
  return (
    <a className="work-figure" href={href}>
      <b>{"cents" in figure ? money(figure.cents) : count(figure.rows)}</b>
      <span>{t(label)}</span>
    </a>
  );
}
