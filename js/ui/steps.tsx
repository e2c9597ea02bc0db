/** A progress list: steps in their order, each done, under way or still to come. */
import type { ReactNode } from "react";

import { useT } from "../lib/i18n";
import { Icon } from "./icon";

/** `wrong`: it came back and has to be done again. `stopped`: nothing follows. */
export type StepState = "done" | "processing" | "waiting" | "wrong" | "stopped";

/** One step. */
export interface Step {
  title: string;
  state: StepState;
  /** Beside the name of the state: when it was done, say. */
  note?: ReactNode;
}

/**
 * The steps, side by side where there is room and one below the other where there is not.
 * @example <Steps label={t("project.progress")} steps={[{ title: "Review", state: "processing" }]} />
 */
export function Steps({ label, steps }: { label: string; steps: readonly Step[] }) {
  const t = useT();
  return (
    <ol className="ll-steps" aria-label={label}>
      {steps.map(({ title, state, note }, index) => (
        <li
          key={title}
          className={`ll-step ll-step-${state}`}
          aria-current={state === "processing" || state === "wrong" ? "step" : undefined}
        >
          <span className="ll-step-mark" aria-hidden="true">
            {state === "done" ? <Icon name="check" /> : state === "wrong" || state === "stopped" ? <Icon name="close" /> : index + 1}
          </span>
          <p className="ll-step-title">{title}</p>
          <p className="ll-step-text">
            <span>{t(`ui.step.${state}`)}</span>
            {note && <span>{note}</span>}
          </p>
        </li>
      ))}
    </ol>
  );
}
