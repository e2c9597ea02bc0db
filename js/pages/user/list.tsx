/** /user/list: the applicants, what became of each, and everything that is done with them. */
import type { AgreementOption, ImportReport, RevealedUser, SelectOption, UserEntered, UserRow, UserSaid, UserStory } from "../../lib/api-types";
import { api } from "../../lib/api";
import { refreshChoices, useFieldChoices } from "../../lib/choices";
import { usePageData } from "../../lib/props";
import { type List, ListPage, type RowAction } from "../../ui/list-page";
import { userFields, userFilters } from "./fields";

export default function UserList() {
  useFieldChoices();
  const channels = usePageData<SelectOption[] | null>("channels").data ?? [];
  return (
    <ListPage
      title="user.title"
      empty="user.empty"
      api="/user"
      points="user/list"
      fields={userFields}
      filters={userFilters}
      create={{ label: "user.create", run: (list) => enter(list, channels) }}
      imports={importUsers}
      actions={actions}
    />
  );
}

const actions: readonly RowAction<UserRow>[] = [
  { label: "user.view", point: "view", run: view },
  { label: "user.edit", point: "edit", when: ({ status }) => status !== "erased" && status !== "matching", run: edit },
  { label: "user.distribute", point: "distribute", when: ({ status }) => ["completed", "unmatched", "distributed"].includes(status), run: distribute },
  { label: "feedback.enter", point: "user/feedback-list/create", when: ({ status }) => status !== "erased", run: enterOn },
  { label: "user.reveal", point: "reveal", when: ({ status }) => status !== "erased", run: reveal },
  { label: "user.erase", point: "delete", danger: true, when: ({ status }) => status !== "erased", run: erase },
];

/** Enters an applicant by hand, tells what became of him, and shows his story to who wants it. */
async function enter(list: List, channels: readonly SelectOption[]) {
  const { t, open, reload, can } = list;
  const [{ entryDialog, enteredDialog }, agreements] = await Promise.all([
    import("./entry-form"), api.get<AgreementOption[]>("/agreement/options"), refreshChoices(),
  ]);
  const valid = agreements.filter(({ valid }) => valid);
  const entered = await open<UserEntered>((overlay) => entryDialog({ overlay, t, channels, agreements: valid }));
  if (!entered) return;
  await reload();
  const wanted = await open<boolean>((overlay) => enteredDialog({ overlay, entered, mayView: can("view") }));
  if (wanted) await view(entered, list);
}

async function importUsers({ t, open, reload }: List) {
  const { ImportDialog } = await import("../../ui/import-dialog");
  const report = await open<ImportReport>((overlay) => (
    <ImportDialog overlay={overlay} title={t("user.import")} hint={t("user.importHint")} path="/user/import" template="/user/template" rows={10_000} />
  ));
  if (report) await reload();
}

async function view({ id }: Pick<UserRow, "id">, { open }: List) {
  const [{ showStory }, story] = await Promise.all([import("./story"), api.get<UserStory>(`/user/${id}`)]);
  await open((overlay) => showStory({ overlay, story }));
}

async function edit({ id, no }: UserRow, { t, open, reload }: List) {
  const [{ editDialog }, said] = await Promise.all([import("./said-form"), api.get<UserSaid>(`/user/said/${id}`), refreshChoices()]);
  if (await open<UserRow>((overlay) => editDialog({ overlay, t, no, said }))) await reload("user.edited");
}

async function enterOn({ id, no }: UserRow, list: List) {
  const { enterFeedback } = await import("./feedback-form");
  if (await enterFeedback({ no, userId: id }, true, list)) await list.reload("feedback.entered");
}

async function distribute({ id, version, no }: UserRow, { t, confirm, reload }: List) {
  if (!(await confirm({ title: t("user.distributeTitle", { no }), text: t("user.distributeText"), confirm: t("user.distribute") }))) return;
  await api.put("/user/distribute", { id, version });
  await reload("user.distributeDone");
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
