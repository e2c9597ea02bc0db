/** Reading an exported file as it streams in. */

/** How far an export has come. */
export interface Received {
  bytes: number;
  /** Rows counted so far, or null where the format does not show them. */
  rows: number | null;
  totalRows: number;
}

const NEWLINE = 10;
const QUOTE = 34;

/** The whole file; `tell` hears of every piece of it. */
export async function receive(response: Response, format: "xlsx" | "csv", tell: (received: Received) => void): Promise<Blob> {
  const totalRows = Number(response.headers.get("x-total-rows"));
  const reader = (response.body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const lines = lineCounter();
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value);
    bytes += value.length;
    // The first line is the head.
    const rows = format === "csv" ? Math.max(0, lines(value) - 1) : null;
    tell({ bytes, rows, totalRows });
  }
  return new Blob(pieces, { type: response.headers.get("content-type") ?? "" });
}

/** Counts the lines of CSV that comes in pieces: a line break between quotes is text, not a row. */
export function lineCounter(): (piece: Uint8Array) => number {
  let lines = 0;
  let quoted = false;
  return (piece) => {
    for (const byte of piece) {
      if (byte === QUOTE) quoted = !quoted;
      else if (byte === NEWLINE && !quoted) lines++;
    }
    return lines;
  };
}

/** The name that the server gives the file, else one made from the path of the call. */
export function exportName(response: Response, path: string, format: string): string {
  const header = response.headers.get("content-disposition") ?? "";
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header)?.[1];
  if (encoded) return decodeURIComponent(encoded);
  return /filename="?([^";]+)"?/i.exec(header)?.[1] ?? `${path.split("/").filter(Boolean)[0] ?? "export"}.${format}`;
}
