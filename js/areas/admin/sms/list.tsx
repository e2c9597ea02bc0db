/** /admin/sms: every short message, what became of it, and what is to be done about those that did not leave. */
import type { SmsRow } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { type List, ListPage, type RowAction } from "../../../ui/list-page";
import { smsFields, smsFilters } from "./fields";
import { SmsRouteNote } from "./route";

export default function ShortMessages() {
  return (
    <>
      <SmsRouteNote />
      <ListPage
        title="sms.title"
        empty="sms.empty"
        api="/sms"
        points="admin/sms"
        fields={smsFields}
        filters={smsFilters}
        create={{ label: "sms.test", point: "test", run: test }}
        actions={actions}
      />
    </>
  );
}

/** A person decides on messages that failed or are in doubt; an expired code is not sent again. */
const isOpen = ({ state }: SmsRow) => state === "failed" || state === "unconfirmed";
const isWorthIt = (row: SmsRow) => isOpen(row) && (row.kind !== "code" || (row.expiresAt ?? 0) > Date.now());

export const actions: readonly RowAction<SmsRow>[] = [
  { label: "sms.view", point: "view", run: view },
  { label: "sms.again", point: "handle", when: isWorthIt, run: again },
  { label: "sms.giveUp", point: "handle", danger: true, when: isOpen, run: giveUp },
];

async function view(row: SmsRow, { open }: List) {
  const { DetailDrawer } = await import("../../../ui/detail-drawer");
  await open((overlay) => (
    <DetailDrawer
      overlay={overlay}
      title={row.no}
      row={row}
      fields={smsFields}
      record={`/sms/${row.id}`}
      history={`/sms/history/${row.id}`}
    />
  ));
}

async function test({ t, open, reload }: List) {
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
