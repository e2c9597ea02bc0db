/** Names of records of other lists: links to their pages for viewers who may open them. */
import { EMPTY } from "../lib/format";
import { useHasPoint } from "../lib/permissions";
import { type Field, fieldText } from "./field";

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

/** The page of the record that a field names, and the point of that page. */
interface Linked<Row> {
  href: (row: Row) => string;
  point: string;
}

export const toOrg: Linked<{ orgId: number | null }> = { href: ({ orgId }) => `/org/list/${orgId}`, point: "org/list/view" };
export const toApplicant: Linked<{ userId: number | null }> = { href: ({ userId }) => `/user/list/${userId}`, point: "user/list/view" };
export const toPayee: Linked<{ payeeOrgId: number }> = { href: ({ payeeOrgId }) => `/org/payee/${payeeOrgId}`, point: "org/payee/list" };
export const toChannel: Linked<{ channelId: number }> = {
  href: ({ channelId }) => `/channel/list/${channelId}`,
  point: "channel/list/view",
};
export const toPayeeChannel: Linked<{ payeeChannelId: number }> = {
  href: ({ payeeChannelId }) => `/payConfig/list/${payeeChannelId}`,
  point: "payConfig/list/view",
};
export const toTeam: Linked<{ subOrgId: number | null }> = { href: ({ subOrgId }) => `/crm/team/${subOrgId}`, point: "crm/saleman/list" };

/**
 * The fields, of which those in `links` are links.
 *
 * @example linkedFields(receiptFields, { orgName: toOrg, payeeOrgName: toPayee })
 */
export function linkedFields<Row>(
  fields: readonly Field<Row>[],
  links: { readonly [Key in keyof Row]?: Linked<Row> },
): readonly Field<Row>[] {
  return fields.map((field): Field<Row> => {
    const link = links[field.key];
    if (!link) return field;
    return {
      ...field,
      show: (row, t) => {
        const name = fieldText(field, row[field.key], t);
        return name === EMPTY ? EMPTY : <RecordLink href={link.href(row)} point={link.point} name={name} />;
      },
    };
  });
}
