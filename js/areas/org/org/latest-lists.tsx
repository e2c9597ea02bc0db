/** The newest receipts and accounts of an organisation, on its page. */
import type { AdminRow, ReceiptRow } from "../../../lib/api-types";
import { EMPTY, minute, money } from "../../../lib/format";
import { useT } from "../../../lib/i18n";
import { useLoaded } from "../../../lib/props";
import { buttonClass } from "../../../ui/button";
import { RecordLink } from "../../../ui/record-link";
import { EnumTag } from "../../../ui/tag";
import type { TagColors } from "../../../ui/tag-colors";

/** As in the lists of both: a module that they shared would be one more file for each page. */
const receiptColors: TagColors = { waiting: "blue", confirmed: "green", rejected: "red", void: "gray" };
const accountColors: TagColors = { enabled: "green", disabled: "gray", locked: "red" };

export function LatestReceipts({ id }: { id: number }) {
  const t = useT();
  const receipts = useLoaded<ReceiptRow[]>("receipts") ?? [];
  if (receipts.length === 0) return <p className="ll-quiet">{t("org.noReceipts")}</p>;
  return (
    <>
      <div className="ll-table-box" role="group" aria-label={t("org.latestReceipts")} tabIndex={0}>
        <table className="ll-table ll-compact">
          <thead>
            <tr>
              <th scope="col">{t("receipt.no")}</th>
              <th scope="col" className="ll-num">
                {t("receipt.amountCents")}
              </th>
              <th scope="col">{t("receipt.status")}</th>
              <th scope="col">{t("receipt.paidAt")}</th>
              <th scope="col">{t("receipt.payerName")}</th>
            </tr>
          </thead>
          <tbody>
            {receipts.map((receipt) => (
              <tr key={receipt.id}>
                <th scope="row" className="ll-mono">
                  <RecordLink href={`/org/receipt/${receipt.id}`} point="org/receipt/list" name={receipt.no} />
                </th>
                <td className="ll-num">{money(receipt.amountCents)}</td>
                <td>
                  <EnumTag labels="ReceiptStatus" value={receipt.status} colors={receiptColors} />
                </td>
                <td className="ll-mono">{minute(receipt.paidAt)}</td>
                <td>{receipt.payerName}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <All href={`/org/receipt?orgId=${id}`} text={t("org.allReceipts")} />
    </>
  );
}

export function LatestPeople({ id }: { id: number }) {
  const t = useT();
  const people = useLoaded<AdminRow[]>("people") ?? [];
  if (people.length === 0) return <p className="ll-quiet">{t("org.noPeople")}</p>;
  return (
    <>
      <div className="ll-table-box" role="group" aria-label={t("org.latestPeople")} tabIndex={0}>
        <table className="ll-table ll-compact">
          <thead>
            <tr>
              <th scope="col">{t("admin.realName")}</th>
              <th scope="col">{t("admin.username")}</th>
              <th scope="col">{t("admin.roles")}</th>
              <th scope="col">{t("admin.status")}</th>
              <th scope="col">{t("admin.lastLoginAt")}</th>
            </tr>
          </thead>
          <tbody>
            {people.map((person) => (
              <tr key={person.id}>
                <th scope="row">
                  <RecordLink href={`/admin/list/${person.id}`} point="admin/list/view" name={person.realName} />
                </th>
                <td>{person.username}</td>
                <td>{person.roles.map(({ name }) => name).join(t("ui.comma")) || EMPTY}</td>
                <td>
                  <EnumTag labels="AdminStatus" value={person.status} colors={accountColors} />
                </td>
                <td className="ll-mono">{minute(person.lastLoginAt)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <All href={`/admin/list?orgId=${id}`} text={t("org.allPeople")} />
    </>
  );
}

/** The list with all of them. */
function All({ href, text }: { href: string; text: string }) {
  return (
    <div className="ll-toolbar mt-4">
      <a className={buttonClass()} href={href}>
        {text}
      </a>
    </div>
  );
}
