/** What may be done with statements of channels, in their list and on their pages. */
import type { PartnerAdjustmentRow, PartnerStatementLink, PartnerStatementRow, PayoutRow, SelectOption } from "../../lib/api-types";
import { api } from "../../lib/api";
import { partnerStatementStatusSteps } from "../../lib/codes";
import { time } from "../../lib/format";
import type { List, RowAction } from "../../ui/actions";

const mayBecome = (status: PartnerStatementRow["status"]) => (row: PartnerStatementRow) => partnerStatementStatusSteps[row.status].includes(status);
const isOpen = ({ status }: PartnerStatementRow) => status === "draft" || status === "disputed";
const isPayable = ({ status, netCents, askedCents }: PartnerStatementRow) => status === "confirmed" && netCents > askedCents;

export const partnerStatementActions: readonly RowAction<PartnerStatementRow>[] = [
  { label: "partner.send", point: "statement", when: mayBecome("sent"), run: send },
  { label: "partner.adjust", point: "adjust", when: isOpen, run: adjust },
  { label: "partner.pay", point: "pay", when: isPayable, run: pay },
  { label: "payout.enterMade", point: "pay", when: isPayable, run: enterMade },
  { label: "partner.withdrawLink", point: "statement", danger: true, when: mayBecome("draft"), run: withdraw },
  { label: "partner.downloadPdf", point: "list", run: ({ id }) => save(`/partner/statement/file/${id}`) },
  { label: "partner.downloadSheet", point: "export", run: ({ id }) => save(`/partner/statement/sheet/${id}`) },
];

/** Opens the form of a new statement. */
export async function make({ t, open, reload }: List, channels: readonly SelectOption[]) {
  const { statementDialog } = await import("./partner-form");
  if (await open<PartnerStatementRow>((overlay) => statementDialog({ overlay, t, channels }))) await reload("partner.made");
}

/** Makes a link, and shows it this once. */
async function send({ id, channelName, month, status }: PartnerStatementRow, { t, open, confirm, reload }: List) {
  const text = t(status === "sent" ? "partner.sendAgainText" : "partner.sendText");
  if (!(await confirm({ title: t("partner.sendTitle", { channel: channelName, month }), text, confirm: t("partner.send") }))) return;
  const { path, endsAt } = await api.post<PartnerStatementLink>(`/partner/statement/${id}/send`, {});
  const { showSecrets } = await import("../../ui/secret-dialog");
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

async function adjust(row: PartnerStatementRow, { t, open, reload }: List) {
  const { correctionDialog } = await import("./partner-form");
  if (await open<PartnerAdjustmentRow>((overlay) => correctionDialog({ overlay, t, row }))) await reload("partner.adjustAsked");
}

async function pay(row: PartnerStatementRow, { t, open, reload }: List) {
  const [{ payoutDialog }, payees] = await Promise.all([import("./payout-form"), api.get<SelectOption[]>("/org/payee/options")]);
  if (await open<PayoutRow>((overlay) => payoutDialog({ overlay, t, row, payees }))) await reload("payout.asked");
}

async function enterMade(row: PartnerStatementRow, { t, open, reload }: List) {
  const [{ openingDialog }, payees] = await Promise.all([import("./payout-form"), api.get<SelectOption[]>("/org/payee/options")]);
  if (await open<PayoutRow>((overlay) => openingDialog({ overlay, t, row, payees }))) await reload("payout.madeAsked");
}

/** Has the browser save a file. */
async function save(path: string) {
  const { download } = await import("../../lib/upload");
  await download(path);
}
