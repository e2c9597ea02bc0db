/** Files that the browser saves: from a call of the API, or made in the page. */
import { getToken } from "./session";

/** Gets a file that a call of the API answers with, and has the browser save it under the name it came with. */
export async function download(path: string): Promise<void> {
  const token = getToken();
  const headers = { "accept-language": document.documentElement.lang, ...(token === null ? {} : { token }) };
  const response = await fetch(`/api${path}`, { headers });
  const name = fileName(response.headers.get("content-disposition") ?? "");
  if (!response.ok || name === undefined) throw new Error(`${path} answered no file`);
  saveFile(await response.blob(), name);
}

/** The name of a file in the header `content-disposition`: the `filename*` one, in any script, if there are two. */
export function fileName(disposition: string): string | undefined {
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(disposition)?.[1];
  return encoded === undefined ? /filename="([^"]+)"/.exec(disposition)?.[1] : decodeURIComponent(encoded);
}

/** Has the browser save a file under a name. */
export function saveFile(file: Blob, name: string): void {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(file), download: name });
  link.click();
  // Some browsers read the file only after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
