/** Names of fields that the server found wrong. */
import { ApiError } from "./api";

/** `user.consent.textHash` is `textHash`: for a form whose inputs have names of one part. */
export function lastPart(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

/** The same error with its fields under the last parts of their names; an error without fields stays as it is. */
export function withLastParts(error: unknown): unknown {
  if (!(error instanceof ApiError) || Object.keys(error.fields).length === 0) return error;
  const fields = Object.entries(error.fields).map(([name, message]) => [lastPart(name), message]);
  return new ApiError(error.code, error.desc, Object.fromEntries(fields));
}
