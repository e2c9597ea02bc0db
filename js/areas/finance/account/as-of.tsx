/** What an account held at a moment, for its page: the moment is chosen, the answer comes from its entries and transfers. */
import { type SyntheticEvent, useState } from "react";

import type { AccountAsOf, AccountDetail } from "../../../lib/api-types";
import { ApiError, api } from "../../../lib/api";
import { useT } from "../../../lib/i18n";
import { Button } from "../../../ui/button";
import { Description } from "../../../ui/description";
import type { Field } from "../../../ui/field";

const asOfFields: readonly Field<AccountAsOf>[] = [
  { key: "at", title: "account.asOfAt", kind: "time" },
  { key: "balanceCents", title: "account.asOfBalance", kind: "money" },
  { key: "paidCents", title: "account.asOfPaid", kind: "money" },
  { key: "giftCents", title: "account.asOfGift", kind: "money" },
  { key: "creditUsedCents", title: "account.asOfCredit", kind: "money" },
  { key: "heldCents", title: "account.asOfHeld", kind: "money" },
  { key: "entries", title: "account.asOfEntries", kind: "count" },
];

export function AsOf({ orgId }: { orgId: number }) {
  const t = useT();
  const [found, setFound] = useState<AccountAsOf | string | null>(null);
  const [busy, setBusy] = useState(false);
  const show = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const at = new FormData(event.currentTarget).get("at");
    if (typeof at !== "string" || at === "") return;
    setBusy(true);
    try {
      setFound((await api.get<AccountDetail>(`/finance/account/${orgId}`, { at })).asOf);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setFound(error.desc);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section aria-label={t("account.asOf")}>
      <h3 className="ll-title">{t("account.asOf")}</h3>
      <form className="ll-toolbar" onSubmit={(event) => void show(event)}>
        <label className="ll-filter">
          <span>{t("account.asOfAt")}</span>
          <input name="at" placeholder="YYYY-MM-DD HH:MM" required />
        </label>
        <Button type="submit" busy={busy}>
          {t("account.asOfShow")}
        </Button>
      </form>
      <div role="status">
        {typeof found === "string" && <p className="ll-hint">{found}</p>}
        {found !== null && typeof found !== "string" && <Description wide fields={asOfFields} row={found} />}
      </div>
    </section>
  );
}
