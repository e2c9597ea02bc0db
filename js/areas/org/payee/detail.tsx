/** /org/payee/:id: one payee: whether it can be paid, the account that awaits approval, its data and what happened to it. */
import type { PayeeRow, RevealedPayee } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { type Translate, useT } from "../../../lib/i18n";
import { useHasPoint, usePoints } from "../../../lib/permissions";
import { buttonClass } from "../../../ui/button";
import { Description } from "../../../ui/description";
import { DetailPage } from "../../../ui/detail-page";
import { SecondPerson } from "../../../ui/record-state";
import { LoadedTimeline } from "../../../ui/timeline";
import { payeeActions, ProposedAccount } from "./actions";
import { payeeFields, payeeTitles } from "./fields";

/** The lists with what names a payee. */
const lists = [
  { href: "/org/list", label: "org.title", point: "org/list/list" },
  { href: "/payConfig/list", label: "payeeChannel.title", point: "payConfig/list/list" },
  { href: "/org/receipt", label: "receipt.title", point: "org/receipt/list" },
  { href: "/finance/recharge", label: "recharge.title", point: "finance/recharge/list" },
  { href: "/finance/invoice", label: "invoice.listTitle", point: "finance/invoice/list" },
] as const;

/** Shown in the head of the page. */
const HEAD: readonly string[] = ["name", "status", "decision"];
const detailFields = payeeFields.filter(({ key }) => !HEAD.includes(key));

export default function PayeeDetail() {
  return (
    <DetailPage<PayeeRow>
      load="payee"
      list={{ href: "/org/payee", title: "payee.title" }}
      points="org/payee"
      title={({ name }) => name}
      status="status"
      sentence={(row) => <Standing row={row} />}
      facts={["taxNo", "bankName", "invoiceTypes"]}
      fields={payeeFields}
      actions={payeeActions}
      tabs={[
        { name: "details", label: "ui.details", show: (row) => <Details row={row} /> },
        { name: "history", label: "ui.history", show: () => <LoadedTimeline load="history" fields={payeeFields} titles={payeeTitles} /> },
      ]}
    />
  );
}

/** Whether the payee can be chosen and paid, in a sentence. */
function standingOf(row: PayeeRow, t: Translate): string {
  const status = t(`PayeeStatus.${row.status}`);
  if (row.status === "disabled") return t("payee.standing.disabled", { status });
  return t(row.bankAccountMask === "" ? "payee.standing.noAccount" : "payee.standing.enabled", { status });
}

/** Whether the payee can be paid, then the account that awaits approval beside the one in use. */
function Standing({ row }: { row: PayeeRow }) {
  const t = useT();
  const { proposed, decision } = row;
  return (
    <>
      <p className="mb-4">{standingOf(row, t)}</p>
      {proposed && (
        <div className="mb-4">
          <h2 className="ll-details-title">{decision ? t("proposal.titleOf", { names: decision.makerNames }) : t("proposal.title")}</h2>
          {decision && (
            <p>
              <SecondPerson decision={decision} />
            </p>
          )}
          <ProposedAccount row={row} />
        </div>
      )}
    </>
  );
}

/** The data of the payee, whose account may be revealed, and the lists with what names it. */
function Details({ row }: { row: PayeeRow }) {
  const t = useT();
  const held = usePoints();
  const mayReveal = useHasPoint(["org/payee/reveal"]);
  const bankAccountMask = async () => (await api.get<RevealedPayee>(`/org/payee/reveal/${row.id}`)).bankAccount;
  return (
    <>
      <Description wide filled fields={detailFields} row={row} reveals={mayReveal ? { bankAccountMask } : undefined} />
      <div className="ll-toolbar mt-4">
        {lists
          .filter(({ point }) => held.has(point))
          .map(({ href, label }) => (
            <a key={href} className={buttonClass()} href={`${href}?payeeOrgId=${row.id}`}>
              {t(label)}
            </a>
          ))}
      </div>
    </>
  );
}
