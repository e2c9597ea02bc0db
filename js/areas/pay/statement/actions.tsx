/** What is done with a statement, in the list and on its page, by platform staff. */
import type { PaymentStatementRow, SelectOption } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { isMaker } from "../../../lib/decision";
import { count, money } from "../../../lib/format";
import { notify } from "../../../lib/toast";
import type { Viewer } from "../../../lib/types";
import type { List, RowAction } from "../../../ui/actions";

/** The person who requested to close the day may not decide on it; the list's column names them. */
export const statementActions: readonly RowAction<PaymentStatementRow>[] = [
  { label: "paymentStatement.close", point: "reconcile", when: mayDecide, run: close },
  { label: "paymentStatement.reject", point: "reconcile", danger: true, when: mayDecide, run: reject },
  { label: "paymentStatement.askClose", point: "reconcile", when: mayAsk, run: askClose },
  { label: "paymentStatement.withdraw", point: "reconcile", when: (row, { id }) => waits(row) && isMaker(row, id), run: withdraw },
];

const isStaff = ({ orgId }: Viewer) => orgId === null;
const waits = ({ status, decision }: PaymentStatementRow) => status === "open" && decision !== null;
function mayDecide(row: PaymentStatementRow, viewer: Viewer): boolean {
  return isStaff(viewer) && waits(row) && !isMaker(row, viewer.id);
}

/** A day can be closed once no difference of it is open. */
function mayAsk({ status, openCount, decision }: PaymentStatementRow, viewer: Viewer): boolean {
  return isStaff(viewer) && status === "open" && openCount === 0 && decision === null;
}

/** Both sides of a day, for the questions before it is closed. */
function sides({ ourCount, ourCents, theirCount, theirCents, matchedCount }: PaymentStatementRow) {
  return {
    ourCount: count(ourCount),
    ourSum: money(ourCents),
    theirCount: count(theirCount),
    theirSum: money(theirCents),
    matched: count(matchedCount),
  };
}

/** Opens the form of an import, then shows the outcome of the statement. */
export async function importStatement({ t, open, reload }: List, channels: readonly SelectOption[]) {
  const { statementDialog } = await import("./form");
  const imported = await open<PaymentStatementRow>((overlay) => statementDialog({ overlay, channels }));
  if (!imported) return;
  const { matchedCount, openCount } = imported;
  await reload();
  notify(openCount === 0 ? "success" : "info", t("paymentStatement.imported", { matched: count(matchedCount), open: count(openCount) }));
}

async function askClose(row: PaymentStatementRow, { t, confirm, reload }: List) {
  const { id, version, payeeChannelName: channel, day } = row;
  const text = t("paymentStatement.askCloseText", sides(row));
  if (!(await confirm({ title: t("paymentStatement.askCloseTitle", { channel, day }), text, confirm: t("paymentStatement.askClose") })))
    return;
  await api.put("/payStatement/close", { id, version });
  await reload("paymentStatement.asked");
}

async function close(row: PaymentStatementRow, { t, confirm, reload }: List) {
  const { id, version, payeeChannelName: channel, day } = row;
  const text = t("paymentStatement.closeText", sides(row));
  if (!(await confirm({ title: t("paymentStatement.closeTitle", { channel, day }), text, confirm: t("paymentStatement.close") }))) return;
  await api.put("/payStatement/audit", { id, version, approve: true });
  await reload("paymentStatement.closed");
}

async function reject({ id, version, payeeChannelName: channel, day }: PaymentStatementRow, { t, open, reload }: List) {
  const { noteDialog } = await import("../../../ui/note-dialog");
  const rejected = await open<PaymentStatementRow>((overlay) =>
    noteDialog({
      overlay,
      t,
      title: t("paymentStatement.rejectTitle", { channel, day }),
      submit: t("paymentStatement.reject"),
      draft: `paymentStatement.reject ${id}`,
      label: "paymentStatement.rejectReason",
      save: (note) => api.put<PaymentStatementRow>("/payStatement/audit", { id, version, approve: false, note }),
    }),
  );
  if (rejected) await reload("paymentStatement.rejected");
}

async function withdraw({ id, version, payeeChannelName: channel, day }: PaymentStatementRow, { t, confirm, reload }: List) {
  const title = t("paymentStatement.withdrawTitle", { channel, day });
  if (!(await confirm({ title, text: t("paymentStatement.withdrawText"), confirm: t("paymentStatement.withdraw") }))) return;
  await api.put("/payStatement/close/withdraw", { id, version });
  await reload("paymentStatement.withdrawn");
}
