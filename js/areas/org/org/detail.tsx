/** /org/list/:id: one organisation: whether it takes leads, what is to be decided, its terms, and what belongs to it. */
import type { AccountDetail, OrgApi, OrgCheck, OrgRow, RevealedOrg, SelectOption } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { money } from "../../../lib/format";
import { useT } from "../../../lib/i18n";
import type { MessageKey } from "../../../lib/messages";
import { useHasPoint, usePoints } from "../../../lib/permissions";
import { useLoaded, useToday } from "../../../lib/props";
import { buttonClass } from "../../../ui/button";
import { Description } from "../../../ui/description";
import { DetailPage } from "../../../ui/detail-page";
import type { Field } from "../../../ui/field";
import { LatestPlans } from "../../../ui/latest-plans";
import { linkedFields } from "../../../ui/record-link";
import { SecondPerson } from "../../../ui/record-state";
import { LoadedTimeline } from "../../../ui/timeline";
import { pageActions } from "./actions";
import { Delivery } from "./delivery";
import { orgFields, orgTitles, termsFields } from "./fields";
import { LatestEntries } from "./latest-entries";
import { LatestPeople, LatestReceipts } from "./latest-lists";
import { PushesOfOrg } from "./push-figures";
import { standingOf } from "./standing";

/** An organisation, with what another load has of it. */
interface OrgOnPage extends OrgRow {
  /** Fen; absent for viewers who see no balances. */
  balanceCents?: number;
  availableCents?: number;
}

/** A list with what belongs to an organisation. */
interface OtherList {
  href: string;
  label: MessageKey;
  point: string;
}

const lists: readonly OtherList[] = [
  { href: "/product/list?orgId=", label: "product.title", point: "product/list/list" },
  { href: "/org/uv-list?subjectId=", label: "uv.visits", point: "org/uv-list/list" },
];

const moneyLists: readonly OtherList[] = [
  { href: "/finance/account/", label: "org.account", point: "finance/account/list" },
  { href: "/finance/account/entries?orgId=", label: "account.openEntries", point: "finance/account/list" },
  { href: "/finance/account/adjustments?orgId=", label: "account.openAdjustments", point: "finance/account/list" },
  { href: "/finance/account/statements?orgId=", label: "account.openStatements", point: "finance/account/list" },
  { href: "/finance/recharge?orgId=", label: "recharge.title", point: "finance/recharge/list" },
  { href: "/finance/invoice?orgId=", label: "invoice.listTitle", point: "finance/invoice/list" },
];

const accountFields: readonly Field<AccountDetail>[] = [
  { key: "status", title: "account.status", kind: "enum", labels: "AccountStatus", colors: { normal: "green", frozen: "red" } },
  { key: "statusNote", title: "account.statusNote" },
  { key: "availableCents", title: "account.availableCents", kind: "money" },
  { key: "balanceCents", title: "account.balanceCents", kind: "money" },
  { key: "giftCents", title: "account.giftCents", kind: "money" },
  { key: "frozenCents", title: "account.frozenCents", kind: "money" },
  { key: "totalRechargeCents", title: "account.totalRechargeCents", kind: "money" },
  { key: "totalSpendCents", title: "account.totalSpendCents", kind: "money" },
];

/** Shown in the head of the page. */
const HEAD: readonly string[] = ["name", "status", "decision"];
/** The other fields: the names of other records are links. */
const detailFields = linkedFields(orgFields.filter(({ key }) => !HEAD.includes(key)));

export default function OrgDetail() {
  const owners = useLoaded<SelectOption[]>("owners") ?? [];
  const payees = useLoaded<SelectOption[]>("payees") ?? [];
  const account = useLoaded<AccountDetail>("account");
  const fields = account ? [...orgFields, ...balancesOf(account)] : orgFields;
  return (
    <DetailPage<OrgOnPage>
      load="org"
      list={{ href: "/org/list", title: "org.title" }}
      points="org/list"
      title={({ name }) => name}
      status="status"
      sentence={(row) => <Standing row={row} />}
      facts={["mode", "balanceCents", "availableCents", "ownerName", "licenceNo", "licenceExpireOn"]}
      fields={fields}
      actions={pageActions({ owners, payees })}
      tabs={[
        { name: "details", label: "org.terms", show: (row) => <Terms row={row} /> },
        {
          name: "plans",
          label: "org.plans",
          point: "plan/list/list",
          show: ({ id }) => <LatestPlans load="plans" all={`/plan/list?orgId=${id}`} />,
        },
        { name: "pushes", label: "org.pushes", point: "plan/push-list/list", show: ({ id }) => <PushesOfOrg id={id} /> },
        { name: "delivery", label: "org.api.view", point: "org/list/apiView", show: () => <LoadedDelivery /> },
        { name: "account", label: "org.account", point: "finance/account/list", show: (row) => <Account row={row} /> },
        { name: "receipts", label: "receipt.title", point: "org/receipt/list", show: ({ id }) => <LatestReceipts id={id} /> },
        { name: "people", label: "org.people", point: "admin/list/list", show: ({ id }) => <LatestPeople id={id} /> },
        {
          name: "history",
          label: "ui.history",
          show: () => <LoadedTimeline load="history" fields={orgFields} titles={orgTitles} />,
        },
      ]}
    />
  );
}

/** The balance in the head of the page. */
const balancesOf = ({ balanceCents, availableCents }: AccountDetail): readonly Field<OrgOnPage>[] => [
  { key: "balanceCents", title: "account.balanceCents", kind: "money", show: () => money(balanceCents) },
  { key: "availableCents", title: "account.availableCents", kind: "money", show: () => money(availableCents) },
];

/** Whether the organisation takes leads, then what awaits approval. */
function Standing({ row }: { row: OrgRow }) {
  const t = useT();
  const today = useToday();
  const account = useLoaded<AccountDetail>("account");
  const check = useLoaded<OrgCheck>("check");
  const seesDelivery = useHasPoint(["org/list/apiView"]);
  const seesChecks = useHasPoint(["admin/test/view"]);
  const { proposed, decision, deliveryMakers } = row;
  const requested: OrgRow = { ...row, ...proposed };
  const changed = termsFields.filter(({ key }) => requested[key] !== row[key]);
  return (
    <>
      <p className="mb-4">{standingOf(row, { today, check, account }, t)}</p>
      {seesChecks && row.status === "pending" && check?.check?.result === "fail" && (
        <p className="mb-4">
          <a className="ll-link" href={`/admin/test/${check.check.id}`}>
            {t("org.failedCheck")}
          </a>
        </p>
      )}
      {proposed && (
        <div className="mb-4">
          <h2 className="ll-details-title">{decision ? t("proposal.titleOf", { names: decision.makerNames }) : t("proposal.title")}</h2>
          {decision && (
            <p>
              <SecondPerson decision={decision} />
            </p>
          )}
          <Description fields={changed} row={requested} previous={row} />
        </div>
      )}
      {deliveryMakers.length > 0 && seesDelivery && (
        <p className="mb-4">
          <a className="ll-link" href={`/org/list/${row.id}?tab=delivery`}>
            {t("org.deliveryWaits")}
          </a>
        </p>
      )}
    </>
  );
}

/** The terms, the licence and the contact, and the lists of what belongs to the organisation. */
function Terms({ row }: { row: OrgRow }) {
  const t = useT();
  const mayReveal = useHasPoint(["org/list/reveal"]);
  const reveal = () => api.get<RevealedOrg>(`/org/reveal/${row.id}`);
  const reveals = {
    contactPhoneMask: async () => (await reveal()).contactPhone,
    alertPhones: async () => (await reveal()).alertPhones.join(t("ui.comma")),
  };
  return (
    <>
      <Description wide filled fields={detailFields} row={row} reveals={mayReveal ? reveals : undefined} />
      <Lists lists={lists} id={row.id} />
    </>
  );
}

function LoadedDelivery() {
  const settings = useLoaded<OrgApi>("delivery");
  return settings && <Delivery wide settings={settings} />;
}

function Account({ row }: { row: OrgRow }) {
  const account = useLoaded<AccountDetail>("account");
  return (
    <>
      {account && <Description wide filled fields={accountFields} row={account} />}
      <LatestEntries />
      <Lists lists={moneyLists} id={row.id} />
    </>
  );
}

/** Links to the lists that the viewer may open. */
function Lists({ lists, id }: { lists: readonly OtherList[]; id: number }) {
  const t = useT();
  const held = usePoints();
  const open = lists.filter(({ point }) => held.has(point));
  if (open.length === 0) return null;
  return (
    <div className="ll-toolbar mt-4">
      {open.map(({ href, label }) => (
        <a key={href} className={buttonClass()} href={`${href}${id}`}>
          {t(label)}
        </a>
      ))}
    </div>
  );
}
