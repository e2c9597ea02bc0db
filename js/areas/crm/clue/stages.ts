/** The stages that a clue may have after a follow-up, and what a follow-up needs at each. */
import type { ClueStage } from "../../../lib/api-types";
import { clueStageCodes, clueStageSteps } from "../../../lib/codes";

/** The current stage and those one step away; a new clue cannot stay new. */
export function stagesFrom(stage: ClueStage): readonly ClueStage[] {
  return stage === "new" ? clueStageSteps.new : [stage, ...clueStageSteps[stage]];
}

/** Whether a stage gives a clue up: it needs a reason. */
export const isGivenUp = (stage: unknown): boolean => stage === "invalid" || stage === "lost";

/** Whether a step to another stage needs a note: one that goes back, and the first follow-up. */
export const needsNote = (from: ClueStage, to: ClueStage): boolean =>
  to === "following" || (!isGivenUp(from) && clueStageCodes.indexOf(to) < clueStageCodes.indexOf(from));

/** Whether work is left at a stage, so that a contact can be planned. */
export const isOpenStage = (stage: unknown): boolean => stage !== "disbursed" && !isGivenUp(stage);
