/** What may be done with statements of channels, in their list and on their pages. */
import type { PartnerAdjustmentRow, PartnerStatementLink, PartnerStatementRow, PayoutRow, SelectOption } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { partnerStatementStatusSteps } from "../../../lib/codes";
import { isMaker } from "../../../lib/decision";
import { money, time } from "../../../lib/format";
import type { Viewer } from "../../../lib/types";
import type { List, RowAction } from "../../../ui/actions";

/** While a confirmation by other means awaits its decision, no other step is possible. */
const mayBecome = (status: PartnerStatementRow["status"]) => (row: PartnerStatementRow) =>
  row.decision === null && partnerStatementStatusSteps[row.status].includes(status);
/** An adjustment of a confirmed statement goes to the next statement. */
const isAdjustable = ({ status, decision }: PartnerStatementRow) => decision === null && status !== "sent";
const mayDecide = (row: PartnerStatementRow, viewer: Viewer) => row.decision !== null && !isMaker(row, viewer.id);
const isPayable = ({ status, netCents, askedCents }: PartnerStatementRow) => status === "confirmed" && netCents > askedCents;

export const partnerStatementActions: readonly RowAction<PartnerStatementRow>[] = [
  { label: "partner.send", point: "statement", when: mayBecome("sent"), run: send },
  { label: "partner.adjust", point: "adjust", when: isAdjustable, run: adjust },
  { label: "partner.pay", point: "pay", when: isPayable, run: pay },
  { label: "payout.enterMade", point: "pay", when: (row) => row.hasEarlier && isPayable(row), run: enterMade },
  { label: "partner.approveConfirm", point: "audit", when: mayDecide, run: approveConfirm },
  { label: "partner.rejectConfirm", point: "audit", danger: true, when: mayDecide, run: rejectConfirm },
  { label: "partner.askConfirm", point: "statement", when: mayBecome("confirmed"), run: askConfirm },
  {
    label: "partner.withdrawConfirm",
    point: "statement",
    when: (row, { id }) => row.decision !== null && isMaker(row, id),
    run: withdrawConfirm,
  },
  { label: "partner.withdrawLink", point: "statement", danger: true, when: mayBecome("draft"), run: withdraw },
  { label: "partner.downloadPdf", point: "list", run: ({ id }) => save(`/partner/statement/file/${id}`) },
  { label: "partner.downloadSheet", point: "export", run: ({ id }) => save(`/partner/statement/sheet/${id}`) },
];

/** Opens the form of a new statement. */
export async function make({ t, open, reload }: List, channels: readonly SelectOption[]) {
  const { statementDialog } = await import("./form");
  if (await open<PartnerStatementRow>((overlay) => statementDialog({ overlay, t, channels }))) await reload("partner.made");
}

/** Makes a link, which is shown only once. */
async function send({ id, version, channelName, month, status }: PartnerStatementRow, { t, open, confirm, reload }: List) {
  const text = t(status === "sent" ? "partner.sendAgainText" : "partner.sendText");
  if (!(await confirm({ title: t("partner.sendTitle", { channel: channelName, month }), text, confirm: t("partner.send") }))) return;
  const { path, endsAt } = await api.post<PartnerStatementLink>("/partner/statement/send", { id, version });
  const { showSecrets } = await import("../../../ui/secret-dialog");
  await showSecrets(open, t("partner.linkTitle", { channel: channelName, until: time(endsAt) }), [
    { label: t("partner.link"), value: new URL(path, window.location.origin).href },
  ]);
  await reload("partner.sent");
}

async function withdraw({ id, version, channelName, month }: PartnerStatementRow, { t, confirm, reload }: List) {
  const title = t("partner.withdrawLinkTitle", { channel: channelName, month });
  if (!(await confirm({ title, text: t("partner.withdrawLinkText"), confirm: t("partner.withdrawLink"), danger: true }))) return;
  await api.put("/partner/statement/withdraw", { id, version });
  await reload("partner.linkWithdrawn");
}

async function askConfirm(row: PartnerStatementRow, { t, open, reload }: List) {
  const { confirmationDialog } = await import("./form");
  if (await open<PartnerStatementRow>((overlay) => confirmationDialog({ overlay, t, row }))) await reload("partner.confirmAsked");
}

async function approveConfirm(
  { id, version, channelName: channel, month, netCents, decision }: PartnerStatementRow,
  { t, confirm, reload }: List,
) {
  const text = t("partner.approveConfirmText", { net: money(netCents), reason: decision?.note ?? "" });
  if (!(await confirm({ title: t("partner.approveConfirmTitle", { channel, month }), text, confirm: t("partner.approveConfirm") }))) return;
  await api.put("/partner/statement/audit", { id, version, approve: true });
  await reload("partner.confirmApproved");
}

async function rejectConfirm({ id, version, channelName: channel, month }: PartnerStatementRow, { t, open, reload }: List) {
  const { noteDialog } = await import("../../../ui/note-dialog");
  const rejected = await open<PartnerStatementRow>((overlay) =>
    noteDialog({
      overlay,
      t,
      title: t("partner.rejectConfirmTitle", { channel, month }),
      submit: t("partner.rejectConfirm"),
      draft: `partner.rejectConfirm ${id}`,
      label: "partnerAdjustment.reviewNote",
      save: (note) => api.put<PartnerStatementRow>("/partner/statement/audit", { id, version, approve: false, note }),
    }),
  );
  if (rejected) await reload("partner.confirmRejected");
}

async function withdrawConfirm({ id, version, channelName: channel, month }: PartnerStatementRow, { t, confirm, reload }: List) {
  const title = t("partner.withdrawConfirmTitle", { channel, month });
  if (!(await confirm({ title, text: t("partner.withdrawConfirmText"), confirm: t("partner.withdrawConfirm") }))) return;
  await api.put("/partner/statement/confirm/withdraw", { id, version });
  await reload("partner.confirmWithdrawn");
}

async function adjust(row: PartnerStatementRow, { t, open, reload }: List) {
  const { correctionDialog } = await import("./form");
  if (await open<PartnerAdjustmentRow>((overlay) => correctionDialog({ overlay, t, row }))) await reload("partner.adjustAsked");
}

async function pay(row: PartnerStatementRow, { t, open, reload }: List) {
  const [{ payoutDialog }, payees] = await Promise.all([import("../payout/form"), api.get<SelectOption[]>("/org/payee/options")]);
  if (await open<PayoutRow>((overlay) => payoutDialog({ overlay, t, row, payees }))) await reload("payout.asked");
}

async function enterMade(row: PartnerStatementRow, { t, open, reload }: List) {
  const [{ openingDialog }, payees] = await Promise.all([import("../payout/form"), api.get<SelectOption[]>("/org/payee/options")]);
  if (await open<PayoutRow>((overlay) => openingDialog({ overlay, t, row, payees }))) await reload("payout.madeAsked");
}

/** Has the browser save a file. */
async function save(path: string) {
  const { download } = await import("../../../lib/save-file");
  await download(path);
}
