/** A number of conversations or of staff, as a link to exactly these for viewers who may open their list. */
import { count } from "../../lib/format";
import { useHasPoint } from "../../lib/permissions";

/** The lists, and the permission point that each needs. */
const POINTS = { "/chat/conversation": "chat/conversation/list", "/chat/manage": "chat/manage/list" } as const;

interface CountLinkProps {
  number: number;
  /** The limit that is shown after it. */
  limit?: number;
  list: keyof typeof POINTS;
  query: string;
}

export function CountLink({ number, limit, list, query }: CountLinkProps) {
  const opens = useHasPoint([POINTS[list]]);
  const text = limit === undefined ? count(number) : `${count(number)} / ${count(limit)}`;
  if (!opens || number === 0) return <>{text}</>;
  return (
    <a className="ll-link" href={`${list}?${query}`}>
      {text}
    </a>
  );
}
