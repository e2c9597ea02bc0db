/** Whether new consents may name an agreement, in a sentence. */
import type { AgreementRow } from "../../../lib/api-types";
import { minute } from "../../../lib/format";
import type { Translate } from "../../../lib/i18n";

export function stateOf({ state, validFrom, validTo }: AgreementRow, t: Translate): string {
  if (state === null) return "";
  const words = { status: t(`AgreementState.${state}`), from: minute(validFrom), until: minute(validTo) };
  return t(`agreement.state.${state === "valid" && validTo !== null ? "until" : state}`, words);
}
