/** The rows of a table of returns: number, reason and note of each lead, each checked for itself. */
import type { DictOption, PushRow } from "../../../lib/api-types";
import { code, halfWidth, visible } from "../../../lib/canonical";
import { lengthOf } from "../../../lib/format";
import type { Translate } from "../../../lib/i18n";
import { leadReturnLimits } from "../../../lib/limits";
import { type ReadTable, readTable, tableFaults } from "../../../ui/table-text";
import { needsNote } from "./reason";

/** What a row says about a lead of the form. */
export interface ReturnRowRead {
  /** The lead. */
  id: number;
  reasonCode: string;
  note: string;
}

/** The titles of the columns. */
export const columnsOf = (t: Translate): readonly string[] => [t("push.no"), t("return.reason"), t("return.note")];

/** Reads a table for the leads of a form. A reason is its text or its code. */
export function readReturns(
  t: Translate,
  text: string,
  leads: readonly PushRow[],
  reasons: readonly DictOption[],
): ReadTable<ReturnRowRead> {
  const columns = columnsOf(t);
  const [numbers, why, notes] = columns as [string, string, string];
  const wrong = tableFaults(t);
  const ids = new Map(leads.map(({ id, no }) => [code(no), id]));
  const codes = new Map(reasons.flatMap(({ value, label }) => [[plain(value), value] as const, [plain(label), value] as const]));
  const seen = new Set<number>();
  return readTable(t, text, columns.length, ([no = "", reason = "", note = ""]) => {
    if (no === "") return wrong.missing(numbers);
    const id = ids.get(code(no));
    if (id === undefined) return wrong.unknown(no);
    if (seen.has(id)) return wrong.twice(no);
    seen.add(id);
    if (reason === "") return wrong.missing(why);
    const reasonCode = codes.get(plain(reason));
    if (reasonCode === undefined) {
      return wrong.noChoice(
        reason,
        reasons.map(({ label }) => label),
      );
    }
    if (needsNote(reasonCode) && note === "") return wrong.missing(notes);
    const length = lengthOf(note);
    return length > leadReturnLimits.note ? wrong.tooLong(leadReturnLimits.note, length) : { id, reasonCode, note };
  });
}

const plain = (text: string) => visible(halfWidth(text)).toLowerCase();
