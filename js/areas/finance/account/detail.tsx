/** /finance/account/:id: the account of one organisation, and what happened to it. */
import type { AccountDetail as Account, AccountRow } from "../../../lib/api-types";
import { useT } from "../../../lib/i18n";
import { buttonClass } from "../../../ui/button";
import { Description } from "../../../ui/description";
import { DetailPage } from "../../../ui/detail-page";
import { LoadedTimeline } from "../../../ui/timeline";
import { accountActions } from "./actions";
import { AsOf } from "./as-of";
import { accountFields } from "./fields";
import { LowBalance } from "./low-balance";

/** The other lists about an account: its entries, adjustments and statements. */
const lists = [
  { href: "/finance/account/entries", label: "account.openEntries" },
  { href: "/finance/account/adjustments", label: "account.openAdjustments" },
  { href: "/finance/account/statements", label: "account.openStatements" },
] as const;

export default function AccountDetail() {
  return (
    <DetailPage<Account>
      load="account"
      list={{ href: "/finance/account", title: "account.listTitle" }}
      points="finance/account"
      title={({ orgName }) => orgName}
      status="status"
      sentence={({ low, balanceCents }) => low && <LowBalance balanceCents={balanceCents} />}
      facts={["balanceCents", "giftCents", "frozenCents", "availableCents"]}
      fields={accountFields}
      actions={accountActions}
      tabs={[
        { name: "details", label: "ui.details", show: (row) => <Details row={row} /> },
        { name: "history", label: "ui.history", show: () => <LoadedTimeline load="history" fields={accountFields} /> },
      ]}
    />
  );
}

function Details({ row }: { row: AccountRow }) {
  const t = useT();
  return (
    <>
      <Description wide fields={accountFields} row={row} />
      <div className="ll-toolbar">
        {lists.map(({ href, label }) => (
          <a key={href} className={buttonClass()} href={`${href}?orgId=${row.id}`}>
            {t(label)}
          </a>
        ))}
      </div>
      <AsOf orgId={row.id} />
    </>
  );
}
