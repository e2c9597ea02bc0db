/** /user/list: the applicants, what became of each, and everything that is done with them. */
import type {
  AgreementOption,
  ChannelOption,
  ImportReport,
  RevealedUser,
  SelectOption,
  UserEntered,
  UserRow,
  UserSaid,
  UserStatus,
  UserStory,
} from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { refreshChoices, useFieldChoices } from "../../../lib/choices";
import { useLoaded } from "../../../lib/props";
import { type List, ListPage, type RowAction } from "../../../ui/list-page";
import { userFields, userFilters } from "./fields";

export default function UserList() {
  useFieldChoices();
  const channels = useLoaded<ChannelOption[]>("channels") ?? [];
  const products = useLoaded<SelectOption[]>("products") ?? [];
  return (
    <ListPage
      title="user.title"
      empty="user.empty"
      api="/user"
      points="user/list"
      fields={userFields}
      filters={userFilters}
      create={{ label: "user.create", run: (list) => enter(list, channels, products) }}
      imports={importUsers}
      actions={actions}
    />
  );
}

/** The statuses of applicants who were accepted. */
const letIn: readonly UserStatus[] = ["registered", "completed", "matching", "distributed", "unmatched"];

const actions: readonly RowAction<UserRow>[] = [
  { label: "user.view", point: "view", run: view },
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

/** Enters an applicant by hand, shows the result, and opens the applicant's story on request. */
async function enter(list: List, channels: readonly ChannelOption[], products: readonly SelectOption[]) {
  const { t, open, reload, can } = list;
  const [{ entryDialog, enteredDialog }, agreements] = await Promise.all([
    import("./form"),
    api.get<AgreementOption[]>("/agreement/options"),
    refreshChoices(),
  ]);
  const choices = { channels, products, agreements: agreements.filter(({ valid }) => valid) };
  const entered = await open<UserEntered>((overlay) => entryDialog({ overlay, t, choices }));
  if (!entered) return;
  await reload();
  const wanted = await open<boolean>((overlay) => enteredDialog({ overlay, entered, mayView: can("view") }));
  if (wanted) await view(entered, list);
}

async function importUsers({ t, open, reload }: List) {
  const { ImportDialog } = await import("../../../ui/import-dialog");
  const report = await open<ImportReport>((overlay) => (
    <ImportDialog
      overlay={overlay}
      title={t("user.import")}
      hint={t("user.importHint")}
      path="/user/import"
      template="/user/template"
      rows={10_000}
    />
  ));
  if (report) await reload();
}

async function view({ id }: Pick<UserRow, "id">, { open }: List) {
  const [{ showStory }, story] = await Promise.all([import("./story"), api.get<UserStory>(`/user/${id}`)]);
  await open((overlay) => showStory({ overlay, story }));
}

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
