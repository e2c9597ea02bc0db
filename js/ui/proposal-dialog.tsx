/** The dialogs in which a second person approves or rejects a change. A lazy chunk. */
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

/** The wording of a proposal: a change of a record, or imported records. */
export type ProposalWords = "change" | "import";

interface ProposalDialog {
  /** Which of the two buttons was pressed. */
  approve: boolean;
  /** Closes with whether the change was approved. */
  overlay: Overlay<boolean>;
  t: Translate;
  path: string;
  row: { id: number; version: number; decision: OpenDecision | null };
  name: string;
  details: ReactNode;
  words: ProposalWords;
}

export function proposalDialog({ approve, overlay, t, path, row: { id, version, decision }, name, details, words }: ProposalDialog) {
  const rule = rules(t);
  const step = approve ? "approve" : "reject";
  const submitted = decision ? t(`proposal.${words}.reviewNote`, { names: decision.makerNames, at: minute(decision.askedAt) }) : undefined;
  return (
    <FormDialog
      overlay={overlay}
      title={t(`proposal.${words}.${step}Title`, { name })}
      draft={`proposal ${step} ${path} ${id} ${version}`}
      note={submitted}
      lead={details}
      isReadFirst
      submit={t(`proposal.${words}.${step}`)}
      form={{
        schema: z.object({ note: approve ? rule.note(decisionLimits.reason) : rule.text(decisionLimits.reason) }),
        fields: [{ name: "note", label: approve ? "proposal.note" : "proposal.reason", kind: "area", required: !approve, wide: true }],
      }}
      record={{ note: "" }}
      save={async ({ note }) => {
        try {
          await api.put(`${path}/audit`, { id, version, approve, note: note || null });
          return approve;
        } catch (error) {
          // The decision is about the change as it was read: if there is another one now, there is nothing to merge.
          throw unmergeable(error);
        }
      }}
    />
  );
}
