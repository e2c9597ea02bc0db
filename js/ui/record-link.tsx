/** Names of records of other lists: links to their pages for viewers who may open them. */
import type { ReactNode } from "react";

import { EMPTY } from "../lib/format";
import { useHasPoint } from "../lib/permissions";
import { type Field, fieldText } from "./field";

interface RecordLinkProps {
  /** The page of the record. */
  href: string;
  /** The point of the page. */
  point: string;
  name: ReactNode;
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

/** The fields, of which those with a page of their own are links. */
export function linkedFields<Row>(fields: readonly Field<Row>[]): readonly Field<Row>[] {
  return fields.map((field): Field<Row> => {
    const { link } = field;
    if (!link) return field;
    return {
      ...field,
      show: (row, t) => {
        const name = field.show ? field.show(row, t) : fieldText(field, row[field.key], t);
        const id = row[link.id];
        return name === EMPTY || id === null ? name : <RecordLink href={`${link.page}${String(id)}`} point={link.point} name={name} />;
      },
    };
  });
}
