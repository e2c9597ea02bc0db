/** The actions on a change that awaits approval: a second person approves or rejects it, and its makers can withdraw it. */
import type { ReactNode } from "react";

import type { OpenDecision } from "../lib/api-types";
import { api } from "../lib/api";
import { isMaker } from "../lib/decision";
import { EMPTY } from "../lib/format";
import type { Translate } from "../lib/i18n";
import type { List, RowAction } from "./actions";
import type { ProposalWords } from "./proposal-dialog";
import { reviewers } from "./waits-for";

export type { ProposalWords } from "./proposal-dialog";

interface Waiting {
  id: number;
  version: number;
  decision: OpenDecision | null;
}

interface Proposals<Row> {
  /** The calls are below it: `/audit` and `/withdraw`. */
  path: string;
  /** The points of the decision and of the withdrawal. */
  points: readonly [review: string, withdraw: string];
  name: (row: Row) => string;
  /** What the reviewer sees: the proposed values beside those in use. */
  details: (row: Row, list: List) => ReactNode | Promise<ReactNode>;
}

/** Whether an account may review a record's open change. */
export const mayReview = (row: Pick<Waiting, "decision">, account: number) => row.decision !== null && !isMaker(row, account);

export function proposalActions<Row extends Waiting>(proposals: Proposals<Row>): readonly RowAction<Row>[] {
  const [review, withdraw] = proposals.points;
  const decide = (approve: boolean): RowAction<Row> => ({
    label: approve ? "proposal.change.approve" : "proposal.change.reject",
    point: review,
    danger: !approve,
    when: (row, { id }) => mayReview(row, id),
    run: async (row, list) => decideOn(approve, proposals.path, row, proposals.name(row), await proposals.details(row, list), list),
  });
  return [
    decide(true),
    decide(false),
    {
      label: "proposal.change.withdraw",
      point: withdraw,
      when: (row, { id }) => isMaker(row, id),
      run: (row, list) => withdrawProposal(proposals.path, row, proposals.name(row), list),
    },
  ];
}

/** Opens the dialog that approves or rejects a change. */
export async function decideOn(
  approve: boolean,
  path: string,
  row: Waiting,
  name: string,
  details: ReactNode,
  { t, open, reload }: List,
  words: ProposalWords = "change",
) {
  const { proposalDialog } = await import("./proposal-dialog");
  const done = await open<boolean>((overlay) => proposalDialog({ approve, overlay, t, path, row, name, details, words }));
  if (done !== undefined) await reload(`proposal.${words}.${done ? "approved" : "rejected"}`);
}

/** Withdraws a change, after a question. */
export async function withdrawProposal(
  path: string,
  { id, version }: Waiting,
  name: string,
  { t, confirm, reload }: List,
  words: ProposalWords = "change",
) {
  const title = t(`proposal.${words}.withdrawTitle`, { name });
  if (!(await confirm({ title, text: t(`proposal.${words}.withdrawText`), confirm: t(`proposal.${words}.withdraw`) }))) return;
  await api.put(`${path}/withdraw`, { id, version });
  await reload(`proposal.${words}.withdrawn`);
}

/** Who may review an open change, for a column of a list. */
export const changeReviewers = (decision: OpenDecision | null, t: Translate, words: ProposalWords = "change") =>
  decision ? reviewers(decision, t, t(`proposal.${words}.waitsFor`, { names: decision.makerNames })) : EMPTY;
