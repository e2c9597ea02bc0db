/** The choices of an applicant's fields that operators edit: those of the page's load, and the current ones. */
import { api } from "./api";
import { useLoaded } from "./props";
import { type FieldChoices, setChoices } from "./terms-table";

/** Sets those of the page's load `choices`. */
export function useFieldChoices(): void {
  setChoices(useLoaded<FieldChoices>("choices") ?? {});
}

/** Sets the current ones, for the form that opens next. Without an answer, those of the page stay. */
export async function refreshChoices(): Promise<void> {
  try {
    setChoices(await api.get<FieldChoices>("/dict/choices", undefined, { quiet: true }));
  } catch {
    // The choices of the page's load stay.
  }
}
