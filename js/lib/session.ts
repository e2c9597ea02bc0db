/** The sign-in as the browser keeps it: the token and what login answered, in local storage. A sign-in removes the drafts of other accounts. */

import { goTo } from "./leave-document";

const TOKEN = "token";
const USER_INFO = "user_info";
const REASON = "login_reason";
/** How the names of drafts of forms begin (lib/drafts); the number of their account follows. */
export const DRAFTS = "draft ";
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

/** Calls `done` when an account is signed in again by another tab; returns a function that stops it. */
export function onSignInElsewhere(account: number, done: () => void): () => void {
  const follow = ({ key }: StorageEvent) => {
    if (key === TOKEN && isSignedIn(account)) done();
  };
  addEventListener("storage", follow);
  return () => removeEventListener("storage", follow);
}

/** Whether the sign-in that this browser keeps is that of an account; it may have expired. */
export const isSignedIn = (account: number): boolean => getToken() !== null && keptUser()?.id === account;

/** Keeps the whole answer of the login, and the token under its own key too, which other tabs wait for. Drafts of other accounts are removed. */
export function keepLogin(login: { token: string; user?: unknown }): void {
  localStorage.setItem(USER_INFO, JSON.stringify(login));
  forgetDrafts(keptUser()?.id);
  setToken(login.token);
}

/** The user of the kept login; undefined if there is none, or it cannot be read. */
export function keptUser(): { id?: number; name?: string; role?: string } | undefined {
  try {
    return (JSON.parse(localStorage.getItem(USER_INFO) ?? "{}") as { user?: object }).user;
  } catch {
    return undefined;
  }
}

/** Notes at a draft whether its form was sent and no answer has arrived. */
export function markDraft(name: string, isSent: boolean): void {
  const draft = localStorage.getItem(name);
  if (draft !== null) localStorage.setItem(name, JSON.stringify({ ...(JSON.parse(draft) as object), isSent }));
}

/** Removes the drafts of forms from this browser, but for those of one account. */
export function forgetDrafts(except?: number): void {
  for (const name of Object.keys(localStorage)) {
    if (name.startsWith(DRAFTS) && !name.startsWith(`${DRAFTS}${except} `)) localStorage.removeItem(name);
  }
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

/** Logs out, forgets drafts and opens the login page, which shows `reason`. */
export async function leave(reason?: string): Promise<void> {
  forgetDrafts();
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
