/** What can be done with a customer, in the list and on the page of one. */
import type { CustomerRow, CustomerStatus, RevealedCustomer } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import type { List, RowAction } from "../../../ui/actions";
import { isMasked } from "../conversation/state";

export const customerActions: readonly RowAction<CustomerRow>[] = [
  { label: "customer.editAction", point: "update", when: ({ status }) => status !== "erased", run: edit },
  { label: "customer.reveal", point: "reveal", when: ({ phoneMask, remark }) => phoneMask !== "" || isMasked(remark), run: reveal },
  { label: "customer.block", point: "block", danger: true, when: ({ status }) => status === "active", run: change("blocked") },
  { label: "customer.letIn", point: "block", when: ({ status }) => status === "blocked", run: change("active") },
  { label: "customer.erase", point: "delete", danger: true, when: ({ status }) => status !== "erased", run: erase },
];

async function edit(row: CustomerRow, { t, open, reload }: List) {
  const { customerDialog } = await import("./form");
  if (await open<CustomerRow>((overlay) => customerDialog({ overlay, t, row }))) await reload("customer.saved");
}

async function reveal({ id, nickname, phoneState }: CustomerRow, { t, open }: List) {
  const [{ SecretDialog }, { phone, remark }] = await Promise.all([
    import("../../../ui/secret-dialog"),
    api.get<RevealedCustomer>(`/chat/client/reveal/${id}`),
  ]);
  const secrets = [
    ...(phone === null ? [] : [{ label: t(phoneState === "verified" ? "customer.phone" : "customer.saidPhone"), value: phone }]),
    ...(remark === null ? [] : [{ label: t("customer.remark"), value: remark }]),
  ];
  await open((overlay) => (
    <SecretDialog
      overlay={overlay}
      title={t("customer.revealTitle", { name: nickname })}
      secrets={secrets}
      note={t("customer.revealNote")}
    />
  ));
}

function change(status: CustomerStatus) {
  const blocks = status === "blocked";
  return async ({ id, version, nickname }: CustomerRow, { t, confirm, reload }: List) => {
    const title = t(blocks ? "customer.blockTitle" : "customer.letInTitle", { name: nickname });
    const text = t(blocks ? "customer.blockText" : "customer.letInText");
    if (!(await confirm({ title, text, confirm: t(blocks ? "customer.block" : "customer.letIn"), danger: blocks }))) return;
    await api.put("/chat/client/status", { id, version, status });
    await reload(blocks ? "customer.blocked" : "customer.isBack");
  };
}

async function erase({ id, nickname }: CustomerRow, { t, confirm, reload }: List) {
  const title = t("customer.eraseTitle", { name: nickname });
  if (!(await confirm({ title, text: t("customer.eraseText"), confirm: t("customer.erase"), danger: true }))) return;
  await api.del(`/chat/client/${id}`);
  await reload("customer.erased");
}
