/**
 * The titles of a record's fields and the formats of their values: one table for each record,
 * from which its list, its page and its history are made.
 *
 * Cells are made by plain functions rather than components: a list renders
 * hundreds of them a page, on the server too.
 */
import { lazy, type ReactNode, Suspense } from "react";

import { escapeHtml } from "../lib/html";
import { htmlOf } from "../lib/html-of";
import { count, EMPTY, minute, money, percent, text } from "../lib/format";
import type { MessageKey, Translate } from "../lib/i18n";
import type { TermsKind } from "./form";
import type { TagColors } from "./tag-colors";

/** Few records have terms: their component loads with the first one that has. */
const TermsText = lazy(() => import("./terms-text"));

/** The format of a value. Absent: text. */
export type FieldKind =
  | "code" // an identifier, in digits of one width
  | "enum" // a code with a label; with colours, as a tag
  | "enums" // a list of codes, each with its label
  | "flag" // true or false, as yes or no
  | "money" // fen, as yuan
  | "basisPoints" // 1/100 %, as per cent
  | "count" // a number of things
  | "time" // epoch milliseconds, as Shanghai's clock
  | "lines" // a list of texts
  | "url" // an address to open
  | TermsKind; // a rule set, opening times, caps or prices, as a sentence; for details, never for lists

/** The page of the record that a field names. */
export interface Link<Row> {
  /** Its address before the id. */
  page: string;
  /** The field with the id; a row without one has no link. */
  id: keyof Row & string;
  /** The point of the page. */
  point: string;
}

export const toOrg = { page: "/org/list/", id: "orgId", point: "org/list/view" } as const;
export const toApplicant = { page: "/user/list/", id: "userId", point: "user/list/view" } as const;
export const toPayee = { page: "/org/payee/", id: "payeeOrgId", point: "org/payee/list" } as const;
export const toChannel = { page: "/channel/list/", id: "channelId", point: "channel/list/view" } as const;
export const toPlan = { page: "/plan/list/", id: "planId", point: "plan/list/view" } as const;
export const toProduct = { page: "/product/list/", id: "productId", point: "product/list/view" } as const;
export const toPayeeChannel = { page: "/payConfig/list/", id: "payeeChannelId", point: "payConfig/list/view" } as const;
export const toTeam = { page: "/crm/team/", id: "subOrgId", point: "crm/saleman/list" } as const;

/** One field of `Row`. */
export interface Field<Row> {
  /** Its name on the wire: what the list sorts by and exports, too. */
  key: keyof Row & string;
  title: MessageKey;
  /** Its heading in histories and files, if the list shows more under `title` than this value. */
  heading?: MessageKey;
  kind?: FieldKind;
  /** Of codes: labels are the messages `<labels>.<code>`. */
  labels?: string;
  colors?: TagColors;
  /** Words of the value where no kind fits: for lists, details and histories. */
  words?: (value: unknown, t: Translate) => string;
  /** Shows the value where no kind fits. */
  show?: (row: Row, t: Translate) => ReactNode;
  /** The list can be ordered by it. */
  sort?: boolean;
  /** In the list: cut where it is long, so that other columns stay in sight. */
  short?: boolean;
  /** In the list: hidden until the viewer shows it, or never there. */
  list?: "hidden" | "never";
  /** Left out of the list's file: the value changes from moment to moment, or is no text. */
  file?: false;
  /** The page of the record that it names: a link in lists, for viewers who may open it. */
  link?: Link<Row>;
  /** Left out of the details. */
  detail?: false;
  /** The details offer to copy it. */
  copy?: boolean;
  /** The text already includes the value before: no value is struck out beside it. */
  before?: false;
  /** The list's totals row adds it up. */
  total?: boolean;
}

/** The label of an enumeration's code; a code without one is shown as it is. */
export function labelOf(t: Translate, labels: string | undefined, code: string): string {
  return t(`${labels}.${code}` as MessageKey) ?? code;
}

/** A value as plain text, for histories and comparisons; there the values may be JSON as text. */
export function fieldText(field: Pick<Field<never>, "kind" | "labels" | "words">, value: unknown, t: Translate): string {
  if (value === null || value === undefined || value === "") return EMPTY;
  if (field.words) return field.words(value, t) || EMPTY;
  switch (field.kind) {
    case "enum":
      return labelOf(t, field.labels, String(value));
    case "enums": {
      const codes: unknown[] = Array.isArray(value) ? value : String(value).split(", ");
      return codes.map((code) => labelOf(t, field.labels, String(code))).join(t("ui.comma")) || EMPTY;
    }
    case "flag":
      return t(value === true || value === "true" ? "ui.yes" : "ui.no");
    case "money":
      return money(Number(value));
    case "basisPoints":
      return percent(Number(value));
    case "count":
      return count(Number(value));
    case "time":
      return minute(Number(value));
    case "lines":
      return Array.isArray(value) ? value.join(", ") || EMPTY : String(value);
    case "caps":
    case "prices":
      // A record has a list; a history has sentences.
      return Array.isArray(value) && value.length === 0 ? EMPTY : typeof value === "string" ? value : JSON.stringify(value);
    default:
      return text(typeof value === "object" ? JSON.stringify(value) : String(value));
  }
}

/** A record's field as it is shown in tables and descriptions. */
export function showField<Row>(field: Field<Row>, row: Row, t: Translate): ReactNode {
  if (field.show) return field.show(row, t);
  const value = row[field.key];
  const shown = fieldText(field, value, t);
  if (shown === EMPTY) return EMPTY;
  const { kind } = field;
  if (isTerms(kind)) {
    return (
      <Suspense>
        <TermsText kind={kind} value={value} />
      </Suspense>
    );
  }
  if (field.colors) return <span className={`ll-tag ll-tag-${field.colors[String(value)] ?? "gray"}`}>{shown}</span>;
  if (field.kind !== "url" || !/^https?:/i.test(shown)) return shown;
  return (
    <a className="ll-link" href={shown} target="_blank" rel="noreferrer noopener">
      {shown}
    </a>
  );
}

/** The same as HTML: cells of tables are text to React. */
export function fieldHtml<Row>(field: Field<Row>, row: Row, t: Translate): string {
  const isText = !field.show && !field.colors && !isMoreThanText(field.kind);
  return isText ? escapeHtml(fieldText(field, row[field.key], t)) : htmlOf(showField(field, row, t));
}

/** Whether more than text is shown for values of a kind. */
function isMoreThanText(kind: FieldKind | undefined): boolean {
  return kind === "url" || isTerms(kind);
}

export function isTerms(kind: FieldKind | undefined): kind is TermsKind {
  return kind === "rules" || kind === "schedule" || kind === "caps" || kind === "prices";
}

/** The class of a list's cell. */
export function cellClass({ kind, short }: Pick<Field<never>, "kind" | "short">): string | undefined {
  return short ? "ll-short" : fieldClass(kind);
}

/** The class of a value, by its kind. */
export function fieldClass(kind: FieldKind | undefined): string | undefined {
  if (kind === "money" || kind === "basisPoints" || kind === "count") return "ll-num";
  return kind === "code" || kind === "time" ? "ll-mono" : undefined;
}
