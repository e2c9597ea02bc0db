/** Terms to read: the sentence of a rule set, of opening times, or of caps. A lazy chunk: details load it. */
import { useT } from "../lib/i18n";
import type { TermsKind } from "./form";
import { termsField } from "./form-terms";

export default function TermsText({ kind, value }: { kind: TermsKind; value: unknown }) {
  return termsField[kind].words(value, useT());
}
