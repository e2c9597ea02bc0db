/**
 * Brings a file to the server. By XMLHttpRequest, for fetch does not tell how far an upload is;
 * what comes back is told to the user like any other answer. Loaded with what uploads.
 */
import { api } from "./api";
import type { StoredFile } from "./api-types";
import { getToken } from "./session";

/** Bytes of a file, at most. */
export const MAX_FILE = 20 * 1024 * 1024;

/** Types that are taken, as `accept` of an input names them; the server decides by content. */
export const PICTURES = ".png,.jpg,.jpeg,.webp,.gif";
export const FILES = `${PICTURES},.pdf,.xlsx,.csv,.mp3,.mp4`;

export interface UploadOptions {
  /** The kind of record the file is for. */
  bizType?: string;
  signal: AbortSignal;
  /** Hears of the part that has gone out, 0 to 1. */
  tell: (part: number) => void;
}

/** Uploads one file. Fails as a call does, with an `ApiError`; the caller shows it. */
export function upload(file: File, { bizType, signal, tell }: UploadOptions): Promise<StoredFile> {
  const form = new FormData();
  if (bizType) form.append("bizType", bizType);
  form.append("file", file);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    const settle = (answer: Promise<StoredFile>) => {
      signal.removeEventListener("abort", abort);
      answer.then(resolve, reject);
    };
    request.open("POST", "/api/common/upload");
    request.setRequestHeader("accept-language", document.documentElement.lang);
    const token = getToken();
    if (token !== null) request.setRequestHeader("token", token);
    request.upload.onprogress = ({ loaded, total }) => tell(total > 0 ? loaded / total : 0);
    // The caller shows what was refused, beside the file.
    const answered = (response: Response) => settle(api.received("/common/upload", response, { quiet: true }));
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
