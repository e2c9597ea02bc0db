/** What can be done with short messages, in the list and on the page of one. */
import { api } from "../../../lib/api";
import type { SmsRow } from "../../../lib/api-types";
import type { List, RowAction } from "../../../ui/actions";
import { isExpiredCode, isOpen } from "./state";

/** An expired code is not sent again. */
const isWorthIt = (row: SmsRow) => isOpen(row) && !isExpiredCode(row);

export const smsActions: readonly RowAction<SmsRow>[] = [
  { label: "sms.again", point: "handle", when: isWorthIt, run: again },
  { label: "sms.giveUp", point: "handle", danger: true, when: isOpen, run: giveUp },
];

export async function test({ t, open, reload }: List) {
  const { testDialog } = await import("./form");
  if (await open<SmsRow>((overlay) => testDialog({ overlay, t }))) await reload("sms.tested");
}

async function again({ id, version, no }: SmsRow, { t, confirm, reload }: List) {
  if (!(await confirm({ title: t("sms.againTitle", { no }), text: t("sms.againText"), confirm: t("sms.again") }))) return;
  await api.put("/sms/again", { id, version });
  await reload("sms.againDone");
}

async function giveUp({ id, version, no }: SmsRow, { t, confirm, reload }: List) {
  if (!(await confirm({ title: t("sms.giveUpTitle", { no }), text: t("sms.giveUpText"), confirm: t("sms.giveUp"), danger: true }))) return;
  await api.put("/sms/giveUp", { id, version });
  await reload("sms.giveUpDone");
}
