/** The dialog in which a second person decides on a change. A lazy chunk. */
import type { ReactNode } from "react";
import * as z from "zod/mini";

import type { OpenDecision } from "../lib/api-types";
import { api } from "../lib/api";
import { minute } from "../lib/format";
import type { Translate } from "../lib/i18n";
import { decisionLimits } from "../lib/limits";
import { unmergeable } from "./conflict";
import { FormDialog } from "./form-dialog";
import { rules } from "./form-rules";
import type { Overlay } from "./overlay";

const decisions = ["approve", "reject"] as const;

/** The wording of a proposal: a change of a record, or imported records. */
export type ProposalWords = "change" | "import";

interface ProposalDialog {
  /** Closes with whether the change was approved. */
  overlay: Overlay<boolean>;
  t: Translate;
  path: string;
  row: { id: number; version: number; decision: OpenDecision | null };
  name: string;
  details: ReactNode;
  words: ProposalWords;
}

export function proposalDialog({ overlay, t, path, row: { id, version, decision }, name, details, words }: ProposalDialog) {
  const rule = rules(t);
  return (
    <FormDialog
      overlay={overlay}
      title={t(`proposal.${words}.reviewTitle`, { name })}
      draft={`proposal ${path} ${id} ${version}`}
      note={decision ? t(`proposal.${words}.reviewNote`, { names: decision.makerNames, at: minute(decision.askedAt) }) : undefined}
      lead={details}
      isReadFirst
      submit={t("proposal.decide")}
      form={{
        schema: z
          .object({ decision: rule.oneOf(decisions), note: rule.note(decisionLimits.reason) })
          .check(
            z.refine((values) => values.decision === "approve" || values.note !== "", { path: ["note"], error: t("ui.rule.required") }),
          ),
        fields: [
          {
            // Nothing is chosen beforehand: a key pressed too soon would approve.
            name: "decision",
            label: "proposal.decision",
            kind: "select",
            required: true,
            empty: "proposal.choose",
            choices: decisions.map((value) => ({ value, label: t(`proposal.decision.${value}`) })),
          },
          { name: "note", label: "proposal.note", kind: "area", wide: true, hint: "proposal.noteHint" },
        ],
      }}
      record={{ decision: null, note: "" }}
      save={async (values) => {
        const approve = values.decision === "approve";
        try {
          await api.put(`${path}/audit`, { id, version, approve, note: values.note || null });
          return approve;
        } catch (error) {
          // The decision is about the change as it was read: if there is another one now, there is nothing to merge.
          throw unmergeable(error);
        }
      }}
    />
  );
}
