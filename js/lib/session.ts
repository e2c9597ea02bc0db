/** The sign-in as the browser keeps it: the token and what login answered, in local storage. */

import { goTo } from "./leave-document";

const TOKEN = "token";
const USER_INFO = "user_info";
const REASON = "login_reason";
/** What is known of new leads (js/shell/lead-news): who signs in again is told of them again. */
export const LEAD_NEWS = "lead_news";

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

/** Keeps what login answered, whole: the token under its own key as well. */
export function keepLogin(login: { token: string; user?: unknown }): void {
  setToken(login.token);
  localStorage.setItem(USER_INFO, JSON.stringify(login));
}

/** Forgets who was signed in, in this browser, with the tabs they had open. */
export function forgetLogin(): void {
  clearToken();
  localStorage.removeItem(USER_INFO);
  localStorage.removeItem(LEAD_NEWS);
  sessionStorage.clear();
}

/**
 * Ends the session on the server, which also drops its cookie, and forgets it here. A server that
 * does not answer must not keep anybody signed in on this machine, so its failure is ignored.
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

/** Logs out and goes where one logs in; `reason` is said there. */
export async function leave(reason?: string): Promise<void> {
  await logout();
  if (reason !== undefined) leaveReason(reason);
  goTo("/login");
}

/** Leaves for the login page of this tab why one is to log in. */
export function leaveReason(reason: string): void {
  sessionStorage.setItem(REASON, reason);
}

/** What `leaveReason` left; only once. */
export function takeReason(): string | null {
  const reason = sessionStorage.getItem(REASON);
  sessionStorage.removeItem(REASON);
  return reason;
}
