/** A balance below its warning line, and where people of the organisation top it up: by an order with a payment link, or a transfer. */
import { money } from "../../../lib/format";
import { useT } from "../../../lib/i18n";
import { usePoints } from "../../../lib/permissions";
import { useViewer } from "../../../lib/props";
import { buttonClass } from "../../../ui/button";

/** Where a recharge begins. */
const WAYS = [
  { href: "/payConfig/order-list", label: "account.rechargeOnline", point: "payConfig/order-list/create" },
  { href: "/finance/recharge", label: "account.rechargeByTransfer", point: "finance/recharge/create" },
] as const;

export function LowBalance({ balanceCents }: { balanceCents: number }) {
  const t = useT();
  const held = usePoints();
  const isOrganisation = useViewer()?.orgId != null;
  return (
    <p className="ll-alert ll-alert-warning mt-4 flex flex-wrap items-center gap-3" role="status">
      {t("account.lowBalance", { balance: money(balanceCents) })}
      {WAYS.filter(({ point }) => isOrganisation && held.has(point)).map(({ href, label }) => (
        <a key={href} className={buttonClass()} href={href}>
          {t(label)}
        </a>
      ))}
    </p>
  );
}
