/** The latest entries of the account of an organisation, on its page. */
import type { LatestEntry } from "../../../lib/api-types";
import { minute, money } from "../../../lib/format";
import { useT } from "../../../lib/i18n";
import { useLoaded } from "../../../lib/props";
import { Reference } from "../../finance/share";

export function LatestEntries() {
  const t = useT();
  const entries = useLoaded<LatestEntry[]>("entries") ?? [];
  if (entries.length === 0) return null;
  return (
    <>
      <h2 className="ll-details-title mt-4">{t("org.latestEntries")}</h2>
      <div className="ll-table-box" role="group" aria-label={t("org.latestEntries")} tabIndex={0}>
        <table className="ll-table ll-compact">
          <thead>
            <tr>
              <th scope="col">{t("entry.at")}</th>
              <th scope="col">{t("entry.kind")}</th>
              <th scope="col" className="ll-num">
                {t("entry.amountCents")}
              </th>
              <th scope="col" className="ll-num">
                {t("entry.balanceAfterCents")}
              </th>
              <th scope="col">{t("entry.refNo")}</th>
            </tr>
          </thead>
          <tbody>
            {entries.map(({ id, at, kind, amountCents, balanceAfterCents, refType, refId, refNo }) => (
              <tr key={id}>
                <th scope="row" className="ll-mono">
                  {minute(at)}
                </th>
                <td>{t(`EntryKind.${kind}`)}</td>
                <td className="ll-num">{money(amountCents)}</td>
                <td className="ll-num">{money(balanceAfterCents)}</td>
                <td>
                  <Reference row={{ refType, refId, refNo }} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
