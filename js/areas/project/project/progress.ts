/** How far a project has come, as a progress list shows it. */
import type { ProjectDetail, ProjectRow, ProjectStage } from "../../../lib/api-types";
import { projectStageCodes } from "../../../lib/codes";
import { minute } from "../../../lib/format";
import type { Translate } from "../../../lib/i18n";
import type { Step, StepState } from "../../../ui/steps";

/** The state of one of the five steps. */
export function stateOf(step: ProjectStage, { status, stage }: Pick<ProjectRow, "status" | "stage">): StepState {
  const distance = projectStageCodes.indexOf(step) - projectStageCodes.indexOf(stage);
  if (status === "launched" || distance < 0) return "done";
  if (distance > 0) return "waiting";
  if (status === "returned") return "wrong";
  return status === "withdrawn" ? "stopped" : "processing";
}

/** The five steps of a project; those that are done have their time. */
export function progressOf({ project, steps }: Pick<ProjectDetail, "project" | "steps">, t: Translate): Step[] {
  return projectStageCodes.map((stage) => {
    const state = stateOf(stage, project);
    // The history begins with its latest entry: an earlier round does not count.
    const entry = steps.find((step) => step.stage === stage && (step.action === "submitted" || step.action === "approved"));
    return { title: t(`ProjectStage.${stage}`), state, note: state === "done" && entry ? minute(entry.at) : undefined };
  });
}
