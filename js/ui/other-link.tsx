/** The name of a record of another list, as a link for viewers of that list. */
import { useHasPoint } from "../lib/permissions";

interface OtherLinkProps {
  list: string;
  /** The point that opens the list, or with `id` the record. */
  point: string;
  name: string;
  /** Of a record with a page of its own; absent or null: the link leads to the list with the name as its keyword. */
  id?: number | null;
}

export function OtherLink({ list, point, name, id = null }: OtherLinkProps) {
  const maySee = useHasPoint([point]);
  if (!maySee) return name;
  return (
    <a className="ll-link" href={id === null ? `${list}?keyword=${encodeURIComponent(name)}` : `${list}/${id}`}>
      {name}
    </a>
  );
}
