/** The dialog that asks for a reason. A lazy chunk. */
import * as z from "zod/mini";

import type { MessageKey, Translate } from "../lib/i18n";
import { decisionLimits } from "../lib/limits";
import { unmergeable } from "./conflict";
import { FormDialog } from "./form-dialog";
import { rules } from "./form-rules";
import type { Overlay } from "./overlay";

interface NoteDialog<Saved> {
  overlay: Overlay<Saved>;
  t: Translate;
  title: string;
  /** Name of the button that saves. */
  submit: string;
  /** Names the draft: what is done, and the id of the record. */
  draft: string;
  label: MessageKey;
  hint?: MessageKey | undefined;
  /** Most characters of the note. */
  longest?: number;
  save: (note: string) => Promise<Saved>;
}

/** The dialog; it closes with the answer of `save`. */
export function noteDialog<Saved>({
  overlay,
  t,
  title,
  submit,
  draft,
  label,
  hint,
  longest = decisionLimits.reason,
  save,
}: NoteDialog<Saved>) {
  return (
    <FormDialog
      overlay={overlay}
      title={title}
      submit={submit}
      draft={draft}
      form={{
        schema: z.object({ note: rules(t).text(longest) }),
        fields: [{ name: "note", label, kind: "area", required: true, wide: true, hint }],
      }}
      record={{ note: "" }}
      save={async ({ note }) => {
        try {
          return await save(note);
        } catch (error) {
          // The note is about the record as it was read: when that has changed, there is nothing to merge.
          throw unmergeable(error);
        }
      }}
    />
  );
}
