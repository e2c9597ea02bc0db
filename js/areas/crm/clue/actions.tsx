/** What may be done with clues, in their lists, on the board and on their page. */
import type { ClueRow, DictOption, HandsResult } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { useLoaded } from "../../../lib/props";
import { notify } from "../../../lib/toast";
import type { BatchAction, List, RowAction } from "../../../ui/actions";
import { peopleFor } from "./assign-people";
import type { ClueChoices } from "./fields";
import { leftText } from "./left";
import { isGivenUp, isOpenStage } from "./stages";

/** The choices that the page's loads brought. */
export function useClueChoices(): ClueChoices {
  return {
    lostReasons: useLoaded<DictOption[]>("lostReasons") ?? [],
  };
}

const isOpen = ({ stage }: ClueRow) => isOpenStage(stage);
const isOwned = (row: ClueRow) => row.ownerId !== null;

/** `choices` of the page; the follow-up stands first. */
export function clueActions(choices: ClueChoices): readonly RowAction<ClueRow>[] {
  return [
    {
      label: "clue.follow",
      point: "follow",
      when: (row) => isOwned(row) && !isGivenUp(row.stage),
      run: (row, list) => follow(row, list, choices),
    },
    ...ownerActions,
  ];
}

/** Changes of the owner, and the return of the lead: what a clue's own page offers beside its form. */
export const ownerActions: readonly RowAction<ClueRow>[] = [
  { label: "clue.claim", point: "claim", when: (row) => !isOwned(row) && isOpen(row), run: claim },
  { label: "clue.assign", point: "assign", when: isOpen, run: (row, list) => assign([row], list) },
  { label: "clue.release", point: "release", when: (row) => isOwned(row) && isOpen(row), run: (row, list) => release([row], list) },
  { label: "clue.giveBack", point: "return", when: (row) => row.pushId !== null && row.lostReason !== "returned", run: giveBack },
  { label: "clue.reopen", point: "reopen", when: (row) => isGivenUp(row.stage) && row.lostReason !== "returned", run: reopen },
];

export const clueBatch: readonly BatchAction<ClueRow>[] = [
  { label: "clue.assign", point: "assign", icon: "user", run: assign },
  { label: "clue.release", point: "release", run: release },
];

/** Opens the form of a follow-up; at once at a stage, where the board moved a clue to one. */
export async function follow(row: ClueRow, { t, open, reload }: List, choices: ClueChoices, stage?: ClueRow["stage"]) {
  const { followDialog } = await import("./forms");
  if (await open<ClueRow>((overlay) => followDialog({ overlay, t, row, choices, stage }))) await reload("clue.followed");
}

/** Opens the clue whose contact is due next, or shows that no other is due; returns whether there was one. */
export async function openNext(id: number, { t, go }: Pick<List, "t" | "go">): Promise<boolean> {
  const next = await api.get<number | null>("/crm/clue/next", { after: id });
  if (next === null) notify("success", t("clue.nothingDue"));
  else await go(`/crm/clue/${next}`);
  return next !== null;
}

/** Takes a clue from its pool, and opens its page. */
export async function claim({ id }: ClueRow, { t, go }: List) {
  await api.post<ClueRow>("/crm/clue/claim", { id });
  notify("success", t("clue.claimed"));
  await go(`/crm/clue/${id}`);
}

/** Opens the table of the active salespeople of the clues' organisations. */
export async function assign(rows: readonly ClueRow[], list: List) {
  const [{ AssignDialog }, people] = await Promise.all([import("./assign-dialog"), peopleFor(rows)]);
  const done = await list.open<HandsResult>((overlay) => <AssignDialog overlay={overlay} rows={rows} people={people} />);
  if (done) await report(done, list);
}

async function release(rows: readonly ClueRow[], list: List) {
  const { t, confirm } = list;
  const title = rows.length === 1 ? t("clue.releaseTitle", { no: rows[0]!.no }) : t("clue.releaseManyTitle", { count: rows.length });
  if (!(await confirm({ title, text: t("clue.releaseText"), confirm: t("clue.release"), danger: true }))) return;
  await report(await api.post<HandsResult>("/crm/release", { ids: rows.map(({ id }) => id) }), list);
}

/** Shows how many clues changed hands, and why the others did not. */
async function report({ done, left }: HandsResult, { t, reload }: List) {
  if (left.length > 0) notify("error", leftText(left, t));
  if (done > 0) notify("success", t("clue.handed", { count: done }));
  await reload();
}

async function giveBack({ id, no }: ClueRow, { t, open, reload }: List) {
  const { giveBackDialog } = await import("./forms");
  const requested = await giveBackDialog({ t, open, id, no });
  // If the organisation's terms say so, the return is approved automatically.
  if (requested) await reload(requested.status === "approved" ? "return.approvedAtOnce" : "return.asked");
}

async function reopen(row: ClueRow, { t, open, reload }: List) {
  const { reopenDialog } = await import("./forms");
  if (await open<ClueRow>((overlay) => reopenDialog({ overlay, t, row }))) await reload("clue.reopened");
}
