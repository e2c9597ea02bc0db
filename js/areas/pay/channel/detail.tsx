/** /payConfig/list/:id: one payee channel: whether it takes orders, what awaits approval, its terms and what happened to it. */
import type { PayeeChannelRow, SelectOption } from "../../../lib/api-types";
import { useT } from "../../../lib/i18n";
import { usePoints } from "../../../lib/permissions";
import { useLoaded, useViewer } from "../../../lib/props";
import { buttonClass } from "../../../ui/button";
import { Description } from "../../../ui/description";
import { DetailPage } from "../../../ui/detail-page";
import type { Field } from "../../../ui/field";
import { RecordLink } from "../../../ui/record-link";
import { SecondPerson } from "../../../ui/record-state";
import { LoadedTimeline } from "../../../ui/timeline";
import { pageActions } from "./actions";
import { payeeChannelFields, payeeChannelTitles } from "./fields";
import { ProposedTexts } from "./proposed";
import { stateOf } from "./state";

const ORDERS = "payConfig/order-list/list";

/** The lists of what came of a channel. */
const lists = [
  { href: "/payConfig/order-list", label: "paymentOrder.title", point: ORDERS },
  { href: "/payConfig/order-list/refunds", label: "paymentRefund.title", point: ORDERS },
  { href: "/payConfig/order-list/exceptions", label: "paymentException.title", point: ORDERS },
  { href: "/payConfig/order-list/statements", label: "paymentStatement.title", point: ORDERS },
] as const;

/** Its links, for a channel of the link pool. */
const pool = { href: "/payConfig/pool-list", label: "paymentLink.title", point: "payConfig/pool-list/list" } as const;

/** Shown in the head of the page. */
const HEAD: readonly string[] = ["name", "status", "decision"];

/** The fields of the page: the name of the payee is a link. */
const linkedFields = payeeChannelFields.map((field): Field<PayeeChannelRow> => {
  if (field.key !== "payeeOrgName") return field;
  return {
    ...field,
    show: ({ payeeOrgId, payeeOrgName }) => <RecordLink href={`/org/payee/${payeeOrgId}`} point="org/payee/list" name={payeeOrgName} />,
  };
});

const detailFields = linkedFields.filter(({ key }) => !HEAD.includes(key));

export default function PayeeChannelDetail() {
  const payees = useLoaded<SelectOption[]>("payees") ?? [];
  return (
    <DetailPage<PayeeChannelRow>
      load="channel"
      list={{ href: "/payConfig/list", title: "payeeChannel.title" }}
      points="payConfig/list"
      title={({ name }) => name}
      status="status"
      sentence={(row) => <State row={row} />}
      facts={["provider", "payeeOrgName", "mchNo", "maxCents", "dayCapCents", "certExpireOn"]}
      fields={linkedFields}
      actions={pageActions(payees)}
      tabs={[
        { name: "details", label: "ui.details", show: (row) => <Terms row={row} /> },
        {
          name: "history",
          label: "ui.history",
          show: () => <LoadedTimeline load="history" fields={payeeChannelFields} titles={payeeChannelTitles} />,
        },
      ]}
    />
  );
}

/** Whether orders can be made for the channel, then what awaits approval beside what is in use. */
function State({ row }: { row: PayeeChannelRow }) {
  const t = useT();
  const viewer = useViewer();
  const { proposed, decision } = row;
  return (
    <>
      <p className="mb-4">{stateOf(row, viewer?.id, t)}</p>
      {proposed && (
        <div className="mb-4">
          <h2 className="ll-details-title">{decision ? t("proposal.titleOf", { names: decision.makerNames }) : t("proposal.title")}</h2>
          {decision && (
            <p>
              <SecondPerson decision={decision} />
            </p>
          )}
          <ProposedTexts row={row} />
        </div>
      )}
    </>
  );
}

/** The terms that have a value, the names of the parameters that are set, and the lists of what came of the channel. */
function Terms({ row }: { row: PayeeChannelRow }) {
  const t = useT();
  const held = usePoints();
  return (
    <>
      <Description wide filled fields={detailFields} row={row} />
      <div className="ll-toolbar mt-4">
        {(row.provider === "link_pool" ? [...lists, pool] : lists)
          .filter(({ point }) => held.has(point))
          .map(({ href, label }) => (
            <a key={href} className={buttonClass()} href={`${href}?payeeChannelId=${row.id}`}>
              {t(label)}
            </a>
          ))}
      </div>
    </>
  );
}
