/** A number of conversations or of staff, as a link to exactly these for viewers who may open their list. */
import { count } from "../../lib/format";
import { useHasPoint } from "../../lib/permissions";

/** The lists, and the permission point that each needs. */
const POINTS = { "/chat/conversation": "chat/conversation/list", "/chat/manage": "chat/manage/list" } as const;

export function CountLink({ number, list, query }: { number: number; list: keyof typeof POINTS; query: string }) {
  const opens = useHasPoint([POINTS[list]]);
  if (!opens || number === 0) return <>{count(number)}</>;
  return (
    <a className="ll-link" href={`${list}?${query}`}>
      {count(number)}
    </a>
  );
}
