/** What is done with an applicant, in the list and on the applicant's page. */
import type { RevealedUser, UserRow, UserSaid, UserStatus } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { refreshChoices } from "../../../lib/choices";
import type { List, RowAction } from "../../../ui/actions";

/** The statuses of applicants who were accepted. */
const letIn: readonly UserStatus[] = ["registered", "completed", "matching", "distributed", "unmatched"];

export const userActions: readonly RowAction<UserRow>[] = [
  { label: "user.edit", point: "edit", when: ({ status }) => status !== "erased" && status !== "matching", run: edit },
  { label: "user.distribute", point: "distribute", when: canBeDistributed, run: distribute },
  { label: "user.markInvalid", point: "invalid", when: ({ status }) => letIn.includes(status), run: markInvalid },
  {
    label: "user.markValid",
    point: "invalid",
    when: ({ status, invalidReason }) => status === "invalid" && invalidReason !== null,
    run: markValid,
  },
  {
    label: "user.withdrawConsent",
    point: "consent",
    danger: true,
    when: ({ status, consentWithdrawnAt }) => consentWithdrawnAt === null && (status === "invalid" || letIn.includes(status)),
    run: withdrawConsent,
  },
  { label: "feedback.enter", point: "user/feedback-list/create", when: ({ status }) => status !== "erased", run: enterOn },
  { label: "user.reveal", point: "reveal", when: ({ status }) => status !== "erased", run: reveal },
  { label: "user.erase", point: "delete", danger: true, when: ({ status }) => status !== "erased", run: erase },
];

async function edit({ id, no }: UserRow, { t, open, reload }: List) {
  const [{ editDialog }, said] = await Promise.all([import("./edit-form"), api.get<UserSaid>(`/user/said/${id}`), refreshChoices()]);
  if (await open<UserRow>((overlay) => editDialog({ overlay, t, no, said }))) await reload("user.edited");
}

async function enterOn({ id, no }: UserRow, list: List) {
  const { enterFeedback } = await import("../feedback/form");
  if (await enterFeedback({ no, userId: id }, true, list)) await list.reload("feedback.entered");
}

async function distribute({ id, version, no }: UserRow, { t, confirm, reload }: List) {
  if (!(await confirm({ title: t("user.distributeTitle", { no }), text: t("user.distributeText"), confirm: t("user.distribute") }))) return;
  await api.put("/user/distribute", { id, version });
  await reload("user.distributeDone");
}

function canBeDistributed({ status, consentWithdrawnAt }: UserRow): boolean {
  return consentWithdrawnAt === null && ["completed", "unmatched", "distributed"].includes(status);
}

async function markInvalid(row: UserRow, { t, open, reload }: List) {
  const { invalidDialog } = await import("./stop-form");
  if (await open<UserRow>((overlay) => invalidDialog({ overlay, t, row }))) await reload("user.markedInvalid");
}

async function markValid({ id, version, no }: UserRow, { t, confirm, reload }: List) {
  if (!(await confirm({ title: t("user.validTitle", { no }), text: t("user.validText"), confirm: t("user.markValid") }))) return;
  await api.put("/user/valid", { id, version });
  await reload("user.markedValid");
}

async function withdrawConsent(row: UserRow, { t, open, reload }: List) {
  const { consentDialog } = await import("./stop-form");
  if (await open<UserRow>((overlay) => consentDialog({ overlay, t, row }))) await reload("user.consentWithdrawn");
}

async function reveal({ id, no }: UserRow, { open }: List) {
  const [{ showRevealed }, revealed] = await Promise.all([import("./revealed"), api.get<RevealedUser>(`/user/reveal/${id}`)]);
  await open((overlay) => showRevealed({ overlay, no, revealed }));
}

async function erase({ id, no }: UserRow, { t, confirm, reload }: List) {
  const text = (
    <>
      <p>{t("user.eraseWiped")}</p>
      <p>{t("user.eraseStays")}</p>
      <p>{t("user.eraseEnd")}</p>
    </>
  );
  if (!(await confirm({ title: t("user.eraseTitle", { no }), text, confirm: t("user.erase"), danger: true }))) return;
  await api.del(`/user/${id}`);
  await reload("user.erased");
}
