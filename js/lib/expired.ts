/**
 * What follows when a login has expired. As long as typed text is unsaved the user signs in again over it, and calls wait for
 * that; otherwise, or if the user does not want to, they are logged out.
 */

import { loadAnew } from "./leave-document";
import { getToken, leaveReason, logout } from "./session";

/** How long a page may take to be left, in milliseconds. */
const LEAVE_MS = 10_000;

/** Has the user sign in again; fulfilled with whether they did. If not, they may be logged out. */
type SignInAgain = () => Promise<boolean>;

/** Those who hold unsaved text, the last one on top. */
let holders: SignInAgain[] = [];
/** The sign-in that is under way, or that ended with the logout. */
let asked: Promise<boolean> | undefined;
/** The token before the last sign-in of this document. */
let replaced: string | null = null;

/** Has an expired login answered by `ask`, until the returned function is called. */
export function holdLogin(ask: SignInAgain): () => void {
  holders.push(ask);
  return () => (holders = holders.filter((one) => one !== ask));
}

/**
 * For a call that was made with `token`, which has expired: undefined if no text is unsaved. Otherwise whether the user is signed
 * in again, so that the call can be repeated. Calls that fail at once share one sign-in. Logs out with `reason` if the user
 * does not sign in.
 */
export function signedInAgain(token: string | null, reason: string): Promise<boolean> | undefined {
  // The answer to a call from before the sign-in.
  if (token !== null && token === replaced && token !== getToken()) return Promise.resolve(true);
  const ask = holders.at(-1);
  if (asked || !ask) return asked;
  const asking = ask().then((isIn) => {
    if (isIn) replaced = token;
    else signOut(reason);
    return isIn;
  });
  const settled = () => (asked = undefined);
  // After a logout the page is left; if the user stays all the same, the next call asks again.
  asking.then((isIn) => (isIn ? settled() : setTimeout(settled, LEAVE_MS)), settled);
  return (asked = asking);
}

/** Logs out and opens the page again, which leads to the login page; that shows `reason`. */
export function signOut(reason: string): void {
  void logout().then(() => {
    leaveReason(reason);
    loadAnew();
  });
}
