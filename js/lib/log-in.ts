/** The two steps of a sign-in, as the login page and the dialog over a form make them. Their refusals are shown there. */

import { api, ApiError } from "./api";
import type { SignedIn } from "./api-types";

/** Code of the refusal that a second factor is needed besides the password. */
const OWED = "1007";

/** Code of the refusal of a ticket that is no longer valid. */
export const LAPSED = "1006";

/** Sends the password; if a code is needed too, returns the ticket for it. */
export async function logIn(username: string, password: string): Promise<SignedIn | { ticket: string }> {
  try {
    return await api.post<SignedIn>("/admin/login", { username, password }, { quiet: true });
  } catch (error) {
    if (error instanceof ApiError && error.code === OWED) return error.data as { ticket: string };
    throw error;
  }
}

/** Sends the code of the second step with the ticket of the first one. */
export const logInByCode = (ticket: string, code: string): Promise<SignedIn> =>
  api.post<SignedIn>("/admin/login/code", { ticket, code }, { quiet: true });
