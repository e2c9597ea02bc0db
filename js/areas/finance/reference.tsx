/** The number of the record for which an entry or a transfer was posted, with a link for viewers who may open it. */
import { text } from "../../lib/format";
import { usePoints } from "../../lib/permissions";

/** A reference to a row of a table: its kind, its id and its number, if it has one. */
interface Referring {
  refType: string;
  refId: number;
  refNo: string | null;
}

interface Cause {
  /** The permission point that opens it. */
  point: string;
  href: (row: Referring) => string;
}

const causes: Readonly<Record<string, Cause>> = {
  push_record: { point: "plan/push-list/view", href: ({ refId }) => `/plan/push-list/${refId}` },
  receipt: { point: "org/receipt/list", href: ({ refId }) => `/org/receipt/${refId}` },
  recharge: { point: "finance/recharge/list", href: ({ refId }) => `/finance/recharge/${refId}` },
  account_adjustment: { point: "finance/account/list", href: ({ refId }) => `/finance/account/adjustments/${refId}` },
  partner_payout: { point: "finance/partner/list", href: ({ refId }) => `/finance/partner/payouts/${refId}` },
  payment_order: { point: "payConfig/order-list/list", href: ({ refId }) => `/payConfig/order-list/${refId}` },
  payment_refund: { point: "payConfig/order-list/list", href: ({ refId }) => `/payConfig/order-list/refunds/${refId}` },
  payment_exception: { point: "payConfig/order-list/list", href: ({ refId }) => `/payConfig/order-list/exceptions/${refId}` },
};

export function Reference({ row }: { row: Referring }) {
  const held = usePoints();
  const cause = causes[row.refType];
  if (!cause || !held.has(cause.point)) return text(row.refNo);
  return (
    <a className="ll-link" href={cause.href(row)}>
      {row.refNo}
    </a>
  );
}
