/** What the decider sees of an import of links: its sums and hosts, and every link whole, page by page. A lazy chunk. */
import { useState } from "react";

import type { LinkBatch, Page, RevealedLink } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { count, money } from "../../../lib/format";
import { useT } from "../../../lib/i18n";
import { Button } from "../../../ui/button";
import { Description, reported } from "../../../ui/description";
import { linkBatchFields } from "./fields";

export function LinkReview({ batch }: { batch: LinkBatch }) {
  const t = useT();
  return (
    <>
      {!batch.isComplete && <p className="ll-alert ll-alert-error">{t("paymentLink.incomplete")}</p>}
      <Description fields={linkBatchFields} row={batch} />
      <WholeLinks batchId={batch.id} />
    </>
  );
}

/** The links themselves; the server writes down each page that is shown. */
function WholeLinks({ batchId }: { batchId: number }) {
  const t = useT();
  const [page, setPage] = useState<Page<RevealedLink> | null>(null);
  const [isBusy, setBusy] = useState(false);
  const show = (current: number) => {
    setBusy(true);
    api
      .get<Page<RevealedLink>>(`/payPool/batch/reveal/${batchId}`, { current })
      .then(setPage, reported)
      .finally(() => setBusy(false));
  };
  if (page === null) {
    return (
      <p>
        <Button small icon="eye" busy={isBusy} title={t("ui.revealNote")} onClick={() => show(1)}>
          {t("paymentLink.showLinks")}
        </Button>
      </p>
    );
  }
  const last = Math.max(1, Math.ceil(page.total / page.pageSize));
  return (
    <>
      <div className="ll-table-box">
        <table className="ll-table">
          <thead>
            <tr>
              <th scope="col">{t("paymentLink.url")}</th>
              <th scope="col">{t("paymentLink.amountCents")}</th>
              <th scope="col">{t("paymentLink.payeeChannelName")}</th>
              <th scope="col">{t("payeeChannel.payeeOrgName")}</th>
            </tr>
          </thead>
          <tbody>
            {page.list.map((link) => (
              <tr key={link.id}>
                <td className="ll-mono">{link.url}</td>
                <td>{link.amountCents === null ? t("paymentLink.anyAmount") : money(link.amountCents)}</td>
                <td>{`${link.payeeChannelName} (${link.payeeChannelCode})`}</td>
                <td>{link.payeeOrgName}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p role="status">{t("paymentLink.pageOf", { page: count(page.current), pages: count(last), links: count(page.total) })}</p>
      <Button small disabled={page.current <= 1} busy={isBusy} onClick={() => show(page.current - 1)}>
        {t("ui.previousPage")}
      </Button>{" "}
      <Button small disabled={page.current >= last} busy={isBusy} onClick={() => show(page.current + 1)}>
        {t("ui.nextPage")}
      </Button>
    </>
  );
}
