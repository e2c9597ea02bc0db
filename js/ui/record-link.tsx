/** The name of a record of another list: a link to its page for viewers who may open it. */
import { useHasPoint } from "../lib/permissions";

interface RecordLinkProps {
  /** The page of the record. */
  href: string;
  /** The point of the page. */
  point: string;
  name: string;
  /** It stands in a sentence, where colour alone would not show that it is a link. */
  inText?: boolean | undefined;
}

/** @example <RecordLink href={`/org/list/${orgId}`} point="org/list/view" name={orgName} /> */
export function RecordLink({ href, point, name, inText = false }: RecordLinkProps) {
  const mayOpen = useHasPoint([point]);
  if (!mayOpen) return name;
  return (
    <a className={inText ? "ll-link underline" : "ll-link"} href={href}>
      {name}
    </a>
  );
}
