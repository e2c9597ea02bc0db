/** The choices of an applicant's fields that operators edit, read again. */
import { api } from "./api";
import { type FieldChoices, setChoices } from "./terms-table";

/** Takes them up as they are now; a form that opens next offers them. Without an answer those of the page stay. */
export async function refreshChoices(): Promise<void> {
  try {
    setChoices(await api.get<FieldChoices>("/dict/choices", undefined, { quiet: true }));
  } catch {
    // What the page brought serves.
  }
}
