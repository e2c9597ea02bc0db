/**
 * Drafts of forms, which outlive a reload, a crash and an expired login: in this browser's local storage, encrypted with a key
 * that only sessions of their account get from the server. Loaded with the first draft that is kept or offered.
 */

import { api } from "./api";
import type { DraftKey } from "./api-types";
import { DRAFTS, isSignedIn } from "./session";

/** Most drafts that are kept, most characters of one, and the age at which one is removed, in milliseconds. */
export const MOST_DRAFTS = 20;
export const LONGEST_DRAFT = 64 * 1024;
export const DRAFT_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;

/** The inputs of a form that differ from what it began with. */
export interface Draft {
  /** The version of the record that was edited; null if it has none. */
  version: number | null;
  inputs: Readonly<Record<string, string | string[]>>;
  /** What the record held in the same fields. */
  base: Readonly<Record<string, unknown>>;
}

/** A draft as it is found again. */
export interface KeptDraft extends Draft {
  /** When it was kept, epoch milliseconds. */
  at: number;
  /** The form was sent, and no answer has arrived: it may have been saved. */
  isSent: boolean;
}

/** A draft in the storage: its content is the nonce and the result of AES-GCM, in Base64. */
interface Sealed {
  at: number;
  content: string;
  isSent?: boolean;
}

/** The key of the signed-in account: in memory only, fetched once. */
let key: Promise<CryptoKey> | undefined;

async function fetchKey(): Promise<CryptoKey> {
  const { key: hex } = await api.get<DraftKey>("/admin/me/draftKey", undefined, { quiet: true });
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16));
  return crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
}

/** The key; a failure is tried again at the next draft. */
function keyOfAccount(): Promise<CryptoKey> {
  key ??= fetchKey().catch((error: unknown) => {
    key = undefined;
    throw error;
  });
  return key;
}

/** Forgets the key; for tests, in which several accounts share this module. */
export function forgetKey(): void {
  key = undefined;
}

const utf8 = (text: string) => new TextEncoder().encode(text);
/** A draft opens only under its name and its time. */
const placeOf = (name: string, at: number) => utf8(`${name} ${at}`);

/**
 * Keeps a draft under its name, in place of an earlier one; one that is too long is not kept. Skipped if the account has signed out
 * or `isWanted` is false once it is encrypted.
 */
export async function keepDraft(account: number, name: string, draft: Draft, isWanted: () => boolean): Promise<void> {
  // The key is that of the account that is signed in.
  if (!isSignedIn(account)) return;
  const at = Date.now();
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const aes = { name: "AES-GCM", iv, additionalData: placeOf(name, at) };
  const sealed = new Uint8Array(await crypto.subtle.encrypt(aes, await keyOfAccount(), utf8(JSON.stringify(draft))));
  const content = btoa(Array.from([...iv, ...sealed], (byte) => String.fromCharCode(byte)).join(""));
  const text = JSON.stringify({ at, content } satisfies Sealed);
  if (!isWanted() || !isSignedIn(account)) return;
  // An earlier draft would be offered as the latest one.
  localStorage.removeItem(name);
  removeOld(MOST_DRAFTS - 1);
  if (text.length > LONGEST_DRAFT) return;
  try {
    localStorage.setItem(name, text);
  } catch (error) {
    console.info("the browser's storage is full", error);
  }
}

/** The draft of a name; null if there is none, or it cannot be opened, in which case it is removed. */
export async function findDraft(name: string): Promise<KeptDraft | null> {
  removeOld(MOST_DRAFTS);
  const sealed = sealedOf(name);
  if (sealed === null) return null;
  const { at, content, isSent = false } = sealed;
  const opened = await keyOfAccount();
  try {
    const bytes = Uint8Array.from(atob(content), (char) => char.charCodeAt(0));
    const aes = { name: "AES-GCM", iv: bytes.subarray(0, 12), additionalData: placeOf(name, at) };
    const text = new TextDecoder().decode(await crypto.subtle.decrypt(aes, opened, bytes.subarray(12)));
    return { ...(JSON.parse(text) as Draft), at, isSent };
  } catch {
    localStorage.removeItem(name);
    return null;
  }
}

/** Removes drafts that are too old or unreadable, and of the others the oldest until `most` are left. */
function removeOld(most: number): void {
  const now = Date.now();
  const drafts = Object.keys(localStorage)
    .filter((name) => name.startsWith(DRAFTS))
    .map((name) => ({ name, at: sealedOf(name)?.at ?? 0 }))
    .toSorted((one, other) => other.at - one.at);
  drafts.forEach(({ name, at }, index) => {
    if (index >= most || now - at >= DRAFT_LIFETIME_MS) localStorage.removeItem(name);
  });
}

function sealedOf(name: string): Sealed | null {
  try {
    const sealed = JSON.parse(localStorage.getItem(name) ?? "null") as Partial<Sealed> | null;
    if (typeof sealed?.at === "number" && typeof sealed.content === "string") return sealed as Sealed;
  } catch {
    // Not written by this module.
  }
  return null;
}
