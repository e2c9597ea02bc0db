/** The sign-in as the browser keeps it: the token and what login answered, in local storage. */

import { goTo } from "./leave-document";

const TOKEN = "token";
const USER_INFO = "user_info";
const REASON = "login_reason";
/** The last count of new leads (js/shell/lead-news); removed at logout, so that the next login shows the notification again. */
export const LEAD_NEWS = "lead_news";
/** The records that the account looked at last (js/shell/recent). */
export const RECENT_RECORDS = "recent_records";

/** The login token, or null for a stranger. */
export function getToken(): string | null {
  return localStorage.getItem(TOKEN);
}

export function setToken(token: string): void {
  localStorage.setItem(TOKEN, token);
}

export function clearToken(): void {
  localStorage.removeItem(TOKEN);
}

/** Keeps the whole answer of the login, and the token under its own key too. */
export function keepLogin(login: { token: string; user?: unknown }): void {
  setToken(login.token);
  localStorage.setItem(USER_INFO, JSON.stringify(login));
}

/** Removes the user's sign-in from this browser, with their open tabs. */
export function forgetLogin(): void {
  clearToken();
  localStorage.removeItem(USER_INFO);
  localStorage.removeItem(LEAD_NEWS);
  localStorage.removeItem(RECENT_RECORDS);
  sessionStorage.clear();
}

/**
 * Removes the sign-in here and ends the session on the server, which also drops its cookie. If the server does not answer,
 * the user must still be signed out on this machine, so a failure is ignored.
 */
export async function logout(): Promise<void> {
  const token = getToken();
  forgetLogin();
  try {
    await fetch("/api/admin/logout", {
      method: "POST",
      headers: token === null ? {} : { token },
      signal: AbortSignal.timeout(3000),
    });
  } catch (error) {
    console.warn("logout did not reach the server", error);
  }
}

/** Logs out and opens the login page, which shows `reason`. */
export async function leave(reason?: string): Promise<void> {
  await logout();
  if (reason !== undefined) leaveReason(reason);
  goTo("/login");
}

/** Leaves the reason that the login page of this tab shows. */
export function leaveReason(reason: string): void {
  sessionStorage.setItem(REASON, reason);
}

/** Takes the reason that `leaveReason` left; it is shown once. */
export function takeReason(): string | null {
  const reason = sessionStorage.getItem(REASON);
  sessionStorage.removeItem(REASON);
  return reason;
}
