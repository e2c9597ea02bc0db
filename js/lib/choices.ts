/** The choices of an applicant's fields that operators edit: those of the page, and as they are now. */
import { api } from "./api";
import { useLoaded } from "./props";
import { type FieldChoices, setChoices } from "./terms-table";

/** Takes up those that the page's load `choices` brought. */
export function useFieldChoices(): void {
  setChoices(useLoaded<FieldChoices>("choices") ?? {});
}

/** Takes them up as they are now; a form that opens next offers them. Without an answer those of the page stay. */
export async function refreshChoices(): Promise<void> {
  try {
    setChoices(await api.get<FieldChoices>("/dict/choices", undefined, { quiet: true }));
  } catch {
    // What the page brought serves.
  }
}
