/** Stored files, to be opened: what proves a payment or an adjustment, an issued invoice. */
import type { StoredFile } from "../../lib/api-types";
import { EMPTY } from "../../lib/format";

export function proofLinks(files: readonly StoredFile[]) {
  if (files.length === 0) return EMPTY;
  return files.map(({ id, name, url }) => (
    <a key={id} className="ll-link" href={url} target="_blank" rel="noreferrer">
      {name}{" "}
    </a>
  ));
}
