/** What can be done with a customer, in the list and on the page of one. */
import type { CustomerPhone, CustomerRow, CustomerStatus } from "../../lib/api-types";
import { api } from "../../lib/api";
import type { List, RowAction } from "../../ui/actions";

export const customerActions: readonly RowAction<CustomerRow>[] = [
  { label: "customer.editAction", point: "update", when: ({ status }) => status !== "erased", run: edit },
  { label: "customer.reveal", point: "reveal", when: ({ phoneMask }) => phoneMask !== "", run: reveal },
  { label: "customer.block", point: "block", danger: true, when: ({ status }) => status === "active", run: change("blocked") },
  { label: "customer.letIn", point: "block", when: ({ status }) => status === "blocked", run: change("active") },
  { label: "customer.erase", point: "delete", danger: true, when: ({ status }) => status !== "erased", run: erase },
];

async function edit(row: CustomerRow, { t, open, reload }: List) {
  // The list hides numbers in remarks, also from viewers who may see them.
  const [{ customerDialog }, whole] = await Promise.all([import("./client-form"), api.get<CustomerRow>(`/chat/client/${row.id}`)]);
  if (await open<CustomerRow>((overlay) => customerDialog({ overlay, t, row: whole }))) await reload("customer.saved");
}

async function reveal({ id, nickname, phoneState }: CustomerRow, { t, open }: List) {
  const [{ SecretDialog }, { phone }] = await Promise.all([import("../../ui/secret-dialog"), api.get<CustomerPhone>(`/chat/client/reveal/${id}`)]);
  await open((overlay) => (
    <SecretDialog overlay={overlay} title={t("customer.revealTitle", { name: nickname })} secrets={[{ label: t(phoneState === "verified" ? "customer.phone" : "customer.saidPhone"), value: phone }]} note={t("customer.revealNote")} />
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
