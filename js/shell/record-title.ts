/** The name of a page's record, from the page's loads: undefined on other pages, and when there is no record. */

import type { Envelope, PageData, PageHead } from "../lib/types";

export function recordTitle(head: PageHead, loaded: PageData): string | undefined {
  const [load = "", field = ""] = head.recordTitle?.split(".") ?? [];
  const answer = loaded[load] as Envelope<Readonly<Record<string, unknown>> | null> | undefined;
  const title = answer?.data?.[field];
  return typeof title === "string" && title !== "" ? title : undefined;
}
