/** What may be done with statements, in their list and on their pages. */
import type { StatementRow, StatementsSent } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { statementStatusSteps } from "../../../lib/codes";
import { money } from "../../../lib/format";
import { statementLimits } from "../../../lib/limits";
import { notify } from "../../../lib/toast";
import type { Viewer } from "../../../lib/types";
import type { BatchAction, List, RowAction } from "../../../ui/actions";

/** Whether it can be sent: for the first time, or again where it is disputed. */
const canSend = ({ status }: StatementRow) => statementStatusSteps[status].includes("sent");

/** Only staff of the organisation answer statements. */
const canAnswer = ({ status }: StatementRow, { orgId }: Viewer) => orgId !== null && statementStatusSteps[status].includes("confirmed");

export const statementActions: readonly RowAction<StatementRow>[] = [
  {
    label: "statement.send",
    point: "statement",
    when: (row, { orgId }) => orgId === null && canSend(row),
    run: (row, list) => send([row], list),
  },
  { label: "statement.confirm", point: "confirm", when: canAnswer, run: agree },
  { label: "statement.dispute", point: "confirm", danger: true, when: canAnswer, run: dispute },
  { label: "statement.download", point: "list", run: save },
];

export const statementBatch: readonly BatchAction<StatementRow>[] = [{ label: "statement.send", point: "statement", run: send }];

/** Sends those of the statements that can be. */
async function send(rows: readonly StatementRow[], { t, confirm, reload }: List) {
  const ready = rows.filter(canSend);
  const [first] = ready;
  if (!first) return notify("info", t("statement.noneToSend"));
  const title =
    ready.length === 1
      ? t("statement.sendTitle", { org: first.orgName, month: first.month })
      : t("statement.sendManyTitle", { count: ready.length });
  if (!(await confirm({ title, text: t("statement.sendText"), confirm: t("statement.send") }))) return;
  await api.put<StatementsSent>("/finance/statement/send", { ids: ready.map(({ id }) => id) });
  await reload("statement.sent");
}

async function agree({ id, version, month, closingCents }: StatementRow, { t, confirm, reload }: List) {
  const text = t("statement.confirmText", { closing: money(closingCents) });
  if (!(await confirm({ title: t("statement.confirmTitle", { month }), text, confirm: t("statement.confirm") }))) return;
  await api.put("/finance/statement/answer", { id, version, agree: true });
  await reload("statement.confirmed");
}

async function dispute({ id, version, month }: StatementRow, { t, open, reload }: List) {
  const { noteDialog } = await import("../../../ui/note-dialog");
  const disputed = await open<StatementRow>((overlay) =>
    noteDialog({
      overlay,
      t,
      title: t("statement.disputeTitle", { month }),
      submit: t("statement.submitDispute"),
      draft: `statement.dispute ${id}`,
      label: "statement.note",
      hint: "statement.disputeHint",
      longest: statementLimits.note,
      save: (note) => api.put<StatementRow>("/finance/statement/answer", { id, version, agree: false, note }),
    }),
  );
  if (disputed) await reload("statement.disputed");
}

/** Has the browser save the statement as a PDF. */
async function save({ id }: StatementRow) {
  const { download } = await import("../../../lib/save-file");
  await download(`/finance/statement/file/${id}`);
}
