/**
 * The only client of the API: prefix /api, login token in the header `token`, a timeout of ten seconds,
 * and the error catalogue. Runs in the browser only.
 *
 * Every failure is an `ApiError`. The client shows it to the user, so a caller catches it only
 * to keep its form open or to mark the wrong fields.
 */

import { signedInAgain, signOut } from "./expired";
import { getToken, setToken } from "./session";
import { notify } from "./toast";
import type { Envelope, Locale } from "./types";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** Code of an `ApiError` for a call without an answer of the API. */
export const TRANSPORT = "transport";

const TIMEOUT_MS = 10_000;
const LOGOUT_MS = 2000;
const OK = "0000";
const FIELDS = "1001";
const EXPIRED = "2000";
const BUSY = "5003";

/** The most keys kept of calls without an answer, and the time within which the same call again has the same key. */
const MAX_UNANSWERED = 20;
const SAME_PRESS_MS = 60_000;

/** Calls that poll behind the user's back: their failures are not toasted. */
const SILENT = new Set(["POST /chat/user/page", "GET /chat/getRecord"]);
/** A failure to fetch the menu is only logged: the page works without it. */
const LOGGED = "GET /menu/listByToken";

/** The client's own messages, in the words of the error catalogue; all others come from the server. */
const TEXTS: Record<Locale, { error: string; request: string; expired: string }> = {
  "zh-CN": { error: "Error", request: "Request Error", expired: "登录过期，重新登录" },
  "en-US": { error: "Error", request: "Request Error", expired: "Login expired, log in again" },
};

/** A call that was refused or did not get through. */
export class ApiError extends Error {
  readonly code: string;
  readonly desc: string;
  readonly data: unknown;

  constructor(code: string, desc: string, data: unknown) {
    super(desc);
    this.name = "ApiError";
    this.code = code;
    this.desc = desc;
    this.data = data;
  }

  /** Messages by field name when the server found fields wrong; otherwise nothing. */
  get fields(): Readonly<Record<string, string>> {
    return this.code === FIELDS && isRecord(this.data) ? (this.data as Record<string, string>) : {};
  }

  /** The address of the compliance checks that have to pass first, if it was refused for them: the caller shows it. */
  get cure(): string | undefined {
    return checksOf(this.data);
  }
}

export interface CallOptions {
  /** Aborts the call; the promise then rejects with the signal's reason, and the user sees nothing. */
  signal?: AbortSignal;
  /** Show no message on failure: the caller shows it. An expired login is shown anyway, by a message or by the sign-in over unsaved text. */
  quiet?: boolean;
  /** Milliseconds to wait for an answer, where ten seconds are not enough. */
  patience?: number;
}

/** What a query string or a JSON body is made from. */
export type Params = object;

export const api = {
  /** GET with `params` as the query. */
  get: <T>(path: string, params?: Params, options?: CallOptions) => call<T>("GET", path, params, options),
  /** POST with `body` as JSON. */
  post: <T>(path: string, body?: Params, options?: CallOptions) => call<T>("POST", path, body, options),
  /** PUT with `body` as JSON; it travels as a POST. */
  put: <T>(path: string, body?: Params, options?: CallOptions) => call<T>("PUT", path, body, options),
  /** DELETE; `params` go into the query, and it travels as a POST. */
  del: <T>(path: string, params?: Params, options?: CallOptions) => call<T>("DELETE", path, params, options),
  envelope,
  received,
};

/**
 * Makes a call and returns its envelope, whatever the code; page loads use it. Failures are shown to the
 * user like any other; a call without an answer gives an envelope with the code `TRANSPORT`. If the login has expired while typed
 * text is unsaved, the call waits until the user has signed in again, and is repeated: the server has not done it.
 */
export async function envelope<T>(method: Method, path: string, params?: Params, options: CallOptions = {}): Promise<Envelope<T>> {
  const press = method === "GET" ? undefined : pressOf(method, path, params);
  const key = press && keyOf(press);
  for (;;) {
    const patience = new Patience(options.signal, options.patience);
    const token = getToken();
    try {
      const response = await send(method, path, params, patience.signal, token, key);
      const answer = await readEnvelope(response);
      patience.end();
      const again = answer.code === EXPIRED ? signedInAgain(token, texts().expired) : undefined;
      if (again && (await again)) {
        if (press !== undefined) unanswered.set(press, { key: key!, at: Date.now() });
        continue;
      }
      // After "busy", the call can be repeated with the same key.
      if (press !== undefined && answer.code !== BUSY) unanswered.delete(press);
      if (answer.code !== OK && !again) complain(method, path, answer, options);
      return answer as Envelope<T>;
    } catch (error) {
      if (press !== undefined && options.signal?.aborted) unanswered.delete(press);
      return lost(error, method, path, options) as Envelope<T>;
    } finally {
      patience.end();
    }
  }
}

/** Keys of calls without an answer, by method, path and parameters: the same call again has the same key, so the server does it once. */
const unanswered = new Map<string, { key: string; at: number }>();

function pressOf(method: Method, path: string, params: Params | undefined): string {
  return `${method} ${path} ${JSON.stringify(params ?? {})}`;
}

function keyOf(press: string): string {
  const known = unanswered.get(press);
  const at = Date.now();
  if (known !== undefined && at - known.at < SAME_PRESS_MS) return known.key;
  unanswered.delete(press);
  const [oldest] = unanswered.keys();
  if (oldest !== undefined && unanswered.size >= MAX_UNANSWERED) unanswered.delete(oldest);
  // `randomUUID` exists on https only.
  const key = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  unanswered.set(press, { key, at });
  return key;
}

/** Handles the answer to a POST that was sent by other code (an upload with progress) as that of any other call. */
async function received<T>(path: string, response: Response, options: CallOptions = {}): Promise<T> {
  let answer: Envelope<unknown>;
  try {
    renew(response);
    answer = await readEnvelope(response);
    // The user signs in again, and then presses again.
    const again = answer.code === EXPIRED ? signedInAgain(getToken(), texts().expired) : undefined;
    again?.catch(console.error);
    if (answer.code !== OK && !again) complain("POST", path, answer, options);
  } catch (error) {
    answer = lost(error, "POST", path, options);
  }
  return dataOf<T>(answer);
}

async function call<T>(method: Method, path: string, params?: Params, options?: CallOptions): Promise<T> {
  return dataOf<T>(await envelope(method, path, params, options));
}

function dataOf<T>({ code, desc, data }: Envelope<unknown>): T {
  if (code !== OK) throw new ApiError(code, desc, data);
  return data as T;
}

async function send(
  method: Method,
  path: string,
  params: Params | undefined,
  signal: AbortSignal,
  token: string | null,
  key: string | undefined,
): Promise<Response> {
  const inBody = method === "POST" || method === "PUT";
  // Office proxies forbid PUT and DELETE and remove unknown headers: the query has the real method.
  const realMethod = method === "PUT" || method === "DELETE" ? { _method: method } : {};
  const query = search({ ...(inBody ? {} : params), ...realMethod });
  const headers: Record<string, string> = { accept: "application/json", "accept-language": document.documentElement.lang };
  if (token !== null) headers["token"] = token;
  if (key !== undefined) headers["idempotency-key"] = key;
  if (inBody) headers["content-type"] = "application/json";
  const response = await fetch(`/api${path}${path.includes("?") ? query.replace("?", "&") : query}`, {
    method: method === "GET" ? "GET" : "POST",
    headers,
    signal,
    ...(inBody ? { body: JSON.stringify(params ?? {}) } : {}),
  });
  renew(response);
  return response;
}

function renew(response: Response): void {
  const renewed = response.headers.get("token");
  // An answer that was on its way when the user signed out must not sign them in again.
  if (renewed && getToken() !== null) setToken(renewed);
}

async function readEnvelope(response: Response): Promise<Envelope<unknown>> {
  const body: unknown = await response.json();
  if (isRecord(body) && typeof body["code"] === "string") {
    return { code: body["code"], desc: typeof body["desc"] === "string" ? body["desc"] : "", data: body["data"] ?? null };
  }
  // A proxy's own answer: its `msg` is the best there is to show.
  throw Object.assign(new Error(`no envelope, HTTP ${response.status}`), isRecord(body) ? { msg: body["msg"] } : {});
}

/** Shows a refusal to the user, with the text of the catalogue; one that has a cure is shown by the caller, until the user closes it. */
function complain(method: Method, path: string, answer: Envelope<unknown>, options: CallOptions): void {
  answer.desc ||= texts().error;
  if (answer.code === EXPIRED) {
    if (!isSilent(method, path)) notify("error", answer.desc);
    expire();
  } else if (checksOf(answer.data) === undefined) {
    report(method, path, answer.desc, options);
  }
}

/** The address of the compliance checks that a refusal names, if it names any. */
function checksOf(data: unknown): string | undefined {
  const check = isRecord(data) ? data["check"] : undefined;
  if (!isRecord(check)) return undefined;
  return `/admin/test${search({ targetType: check["targetType"], targetId: check["targetId"] })}`;
}

/** The envelope of a call without an answer; rethrows the error if the caller aborted the call. */
function lost(error: unknown, method: Method, path: string, options: CallOptions): Envelope<null> {
  if (options.signal?.aborted) throw error;
  const msg = isRecord(error) && typeof error["msg"] === "string" && error["msg"] !== "" ? error["msg"] : texts().request;
  console.warn(`${method} /api${path}`, error);
  report(method, path, msg, options);
  return { code: TRANSPORT, desc: msg, data: null };
}

function report(method: Method, path: string, text: string, options: CallOptions): void {
  if (`${method} ${path}` === LOGGED) console.warn("the menu could not be fetched:", text);
  else if (!options.quiet && !isSilent(method, path)) notify("error", text);
}

function isSilent(method: Method, path: string): boolean {
  const query = path.indexOf("?");
  return SILENT.has(`${method} ${query < 0 ? path : path.slice(0, query)}`);
}

let leaving = false;

/** Shows that the login has expired; two seconds later, once, logs out and reloads. */
function expire(): void {
  notify("error", texts().expired);
  if (leaving) return;
  leaving = true;
  setTimeout(() => signOut(texts().expired), LOGOUT_MS);
}

/** Ten seconds for an answer, cut short when the caller's own signal aborts. */
class Patience {
  readonly #controller = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout>;

  constructor(own: AbortSignal | undefined, milliseconds = TIMEOUT_MS) {
    this.#timer = setTimeout(() => this.#controller.abort(new DOMException("no answer in time", "TimeoutError")), milliseconds);
    // The caller's signal stays connected after `end`, so that it also stops the reading of a file.
    if (own?.aborted) this.#controller.abort(own.reason);
    else own?.addEventListener("abort", () => this.#controller.abort(own.reason), { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

function search(params: Params): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== null && value !== undefined) query.set(name, String(value));
  }
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}

function texts() {
  return TEXTS[document.documentElement.lang === "en-US" ? "en-US" : "zh-CN"];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
