/**
 * Uploads a file to the server. By XMLHttpRequest, because fetch does not report the progress of an upload;
 * the answer is handled like any other. Loaded with the components that upload.
 */
import { api } from "./api";
import type { StoredFile } from "./api-types";
import { getToken } from "./session";

/** Accepted types, as `accept` of an input names them; the server decides by content. */
export const PICTURES = ".png,.jpg,.jpeg,.webp,.gif";
export const FILES = `${PICTURES},.pdf,.xlsx,.docx,.csv,.mp3,.mp4`;
/** The format of iPhone photos, which is refused with a hint. */
export const HEIC = ".heic,.heif";
/** Tables that are imported. */
export const TABLES = ".xlsx,.csv,.txt";

export interface SendOptions {
  signal: AbortSignal;
  /** Called with the part that was sent, 0 to 1. */
  tell: (part: number) => void;
}

export interface UploadOptions extends SendOptions {
  /** The kind of record the file is for. */
  bizType?: string;
}

/** Uploads one file. Fails as a call does, with an `ApiError`; the caller shows it. */
export function upload(file: File, { bizType, ...options }: UploadOptions): Promise<StoredFile> {
  return send("/common/upload", bizType ? { bizType } : {}, file, options);
}

/** Uploads a stored file again, for a second record: records do not share files. Null when it cannot be fetched. */
export async function uploadAgain(id: number, name: string, bizType: string): Promise<StoredFile | null> {
  const response = await fetch(`/files/${id}`);
  if (!response.ok) return null;
  const file = new File([await response.blob()], name);
  const options = { bizType, signal: new AbortController().signal, tell: () => {} };
  return upload(file, options).catch((error: unknown) => (console.error(error), null));
}

/** Sends a file with form fields to a call of the API that accepts one. Fails as a call does; the caller shows it. */
export function send<T>(path: string, fields: Readonly<Record<string, string>>, file: File, { signal, tell }: SendOptions): Promise<T> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append("file", file);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    const settle = (answer: Promise<T>) => {
      signal.removeEventListener("abort", abort);
      answer.then(resolve, reject);
    };
    request.open("POST", `/api${path}`);
    request.setRequestHeader("accept-language", document.documentElement.lang);
    const token = getToken();
    if (token !== null) request.setRequestHeader("token", token);
    request.upload.onprogress = ({ loaded, total }) => tell(total > 0 ? loaded / total : 0);
    // The caller shows a refusal beside the file.
    const answered = (response: Response) => settle(api.received(path, response, { quiet: true }));
    request.onload = () => {
      const renewed = request.getResponseHeader("token");
      answered(new Response(request.responseText, renewed === null ? {} : { headers: { token: renewed } }));
    };
    request.onerror = () => answered(Response.error());
    request.onabort = () => {
      signal.removeEventListener("abort", abort);
      reject(signal.reason as Error);
    };
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) reject(signal.reason as Error);
    else request.send(form);
  });
}

/** Whether a file's name ends with one of the types of `accept`. */
export function isOfType(name: string, accept: string): boolean {
  const lower = name.toLowerCase();
  return accept.split(",").some((ending) => lower.endsWith(ending));
}
