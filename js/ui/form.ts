/**
 * The definition of a form: a list of fields and a schema. Inputs hold texts (or
 * lists of ids); the schema turns them into the values that are sent; `inputsOf`
 * does the reverse, from a record to inputs.
 */
import type { $ZodType } from "zod/v4/core";

import type { StoredFile } from "../lib/api-types";
import { code, halfWidth, idNo, integer, phone, trimmed, visible } from "../lib/canonical";
import type { Choice } from "../lib/choice";
import { readDay } from "../lib/day-text";
import { EMPTY, minute, momentInput, money, parseMoney, percent, shortMoney } from "../lib/format";
import type { MessageKey, Translate } from "../lib/i18n";
import { parseMoment } from "../lib/moment";
import type { RulesOf } from "../lib/terms-table";
import type { IconName } from "./icon";
import type { NewRecord } from "./new-record";
import { leavesOf, type TreeNode } from "./tree";

export type { Choice } from "../lib/choice";

/** The call that searches for choices, or a function that does. */
export type Search = string | ((keyword: string) => readonly Choice[]);

/** What every input shows around itself. */
export interface FieldFrame {
  /** Its name on the wire. */
  name: string;
  label: MessageKey;
  /** Its label, if that is data and not a message; shown instead of `label`. */
  text?: string;
  hint?: MessageKey | undefined;
  placeholder?: string;
  /** Marked as required; the schema enforces it. */
  required?: boolean;
  /** Whether it is marked as required, given the other inputs; replaces `required`. */
  requiredWhen?: (inputs: Inputs) => boolean;
  /** Shown but not to be changed. */
  fixed?: boolean;
  /** A password, key or code: never in a draft. */
  secret?: boolean;
  /** As wide as the form. */
  wide?: boolean;
  /** Without a label that is seen: in a table, whose heads say what the input is. */
  bare?: boolean;
  /** Whether it is shown, given the other inputs; absent: always. */
  when?: (inputs: Inputs) => boolean;
}

/** One field of a form. */
export type FormField = FieldFrame &
  /**
   * One line, without invisible characters. A phone (`type: "tel"`), an identity number and a number on paper (`written`) are brought into one form.
   * The input has no length limit: the browser would cut pasted text without a message. The schema has the limit and its message.
   */
  (
    | { kind: "text"; type?: "text" | "email" | "tel" | "url"; written?: "idNo" | "code" }
    | { kind: "area" }
    /** A list of texts, one a line. */
    | { kind: "lines" }
    /** Typed in yuan, sent in fen. */
    | { kind: "money" }
    /** Typed in per cent, sent in basis points. */
    | { kind: "percent" }
    /** `unitText` is a unit that is data. */
    | { kind: "integer"; unit?: MessageKey; unitText?: string }
    /** A day and a time of Shanghai's clock, sent as epoch milliseconds. */
    | { kind: "moment" }
    /** A day, as `YYYY-MM-DD`. */
    | { kind: "date" }
    /** A time of day, as `HH:MM`. */
    | { kind: "time" }
    /**
     * `empty` is the text of "none"; without it one has to be chosen. `search` is the call that searches among many: "/org/options". `create`
     * makes a record where there is none to choose.
     */
    | { kind: "select"; choices: readonly Choice[]; empty?: MessageKey; search?: Search; create?: NewRecord | undefined }
    /** A select whose choices depend on another field: they are loaded when that changes. */
    | {
        kind: "dependent";
        on: string;
        load: (value: string) => Promise<readonly Choice[]>;
        empty: MessageKey;
        chosen?: Choice;
        create?: NewRecord | undefined;
      }
    /** A switch: yes or no. */
    | { kind: "flag" }
    | { kind: "boxes"; choices: readonly Choice[]; create?: NewRecord | undefined }
    /** Several choices among many. `choices` are the first ones, `search` is the call that searches. `expand` gives the values that a choice stands for. */
    | { kind: "several"; choices: readonly Choice[]; search: Search; expand?: (value: string) => readonly string[] }
    /** One of our icons, or none. */
    | { kind: "icon"; icons: readonly IconName[] }
    /** One uploaded picture; its file's id. `bizType` is the kind of record it is for. */
    | { kind: "picture"; bizType: string }
    /** Uploaded files, at most so many; their ids. `stored` are those that the record has. */
    | { kind: "files"; bizType: string; max: number; stored: readonly StoredFile[] }
    /** A tree of which any leaves are ticked; their ids. */
    | { kind: "tree"; nodes: readonly TreeNode[] }
    /** Terms (form-terms.ts makes them): a rule set, opening times, caps, prices; their JSON, or empty for none. `of` says what rules describe. */
    | { kind: TermsKind; words: (value: unknown, t: Translate) => string; of?: RulesOf }
  );

/** The kinds of terms, each with an editor of its own. */
export type TermsKind = "rules" | "schedule" | "caps" | "prices";

/** What the inputs hold, by field. */
export type Inputs = Record<string, string | string[]>;

/** Fields that belong together. */
export interface FormSection {
  title: MessageKey;
  fields: readonly FormField[];
}

/** A form: its fields, and the schema from inputs to the wire. */
export interface Form<Values> {
  fields: readonly FormField[];
  schema: $ZodType<Values, unknown>;
}

/** A field as it is shown, given the inputs; null if it is not shown. `raised` are names of fields that are shown in any case. */
export function shownField(field: FormField, inputs: Inputs, raised: readonly string[] = []): FormField | null {
  if (field.when && !field.when(inputs) && !raised.includes(field.name)) return null;
  return field.requiredWhen ? { ...field, required: field.requiredWhen(inputs) } : field;
}

/** What the inputs hold for a record. */
export function inputsOf(fields: readonly FormField[], record: Readonly<Record<string, unknown>>): Inputs {
  return Object.fromEntries(fields.map((field) => [field.name, inputOf(field.kind, record[field.name])]));
}

function inputOf(kind: FormField["kind"], value: unknown): string | string[] {
  switch (kind) {
    case "boxes":
    case "several":
    case "files":
    case "tree":
      return Array.isArray(value) ? value.map(String) : [];
    case "lines":
      return Array.isArray(value) ? value.join("\n") : "";
    case "money":
    case "percent":
      return shortMoney(value as number | null);
    case "rules":
    case "schedule":
    case "caps":
    case "prices":
      return value == null || (Array.isArray(value) && value.length === 0) ? "" : JSON.stringify(value);
    case "moment":
      return momentInput(value as number | null);
    case "flag":
      return String(value === true);
    default:
      return value === null || value === undefined ? "" : String(value);
  }
}

/** The text of an input in the field's normal form, as `inputsOf` would write it. A text that cannot be read stays as it was typed. */
export function inOneForm(field: FormField, typed: string): string {
  if (field.fixed) return typed;
  switch (field.kind) {
    case "money":
      return shortMoney(parseMoney(typed)) || typed;
    case "percent":
      return shortMoney(parseMoney(typed.replace(/[%\uff05]\s*$/, ""))) || typed;
    case "integer":
      return integer(typed)?.toString() ?? typed;
    case "date":
      return readDay(typed);
    case "moment":
      return momentInput(parseMoment(typed)) || typed;
    case "text":
      if (field.type === "tel") return phone(typed) ?? trimmed(halfWidth(typed));
      if (field.written === "idNo") return idNo(typed) ?? trimmed(typed);
      return field.written === "code" ? code(typed) : visible(typed);
    default:
      return typed;
  }
}

/** All inputs in their normal form. */
export function allInOneForm(fields: readonly FormField[], inputs: Inputs): Inputs {
  const shaped = fields.flatMap((field) => {
    const typed = inputs[field.name];
    return typeof typed === "string" ? [[field.name, inOneForm(field, typed)]] : [];
  });
  return { ...inputs, ...Object.fromEntries(shaped) };
}

/** A field's value on the wire, as a person reads it. */
export function readable(field: FormField, value: unknown, t: Translate): string {
  if (value === null || value === undefined || value === "") return EMPTY;
  switch (field.kind) {
    case "money":
      return money(value as number);
    case "percent":
      return percent(value as number);
    case "moment":
      return minute(value as number);
    case "flag":
      return t(value === true ? "ui.yes" : "ui.no");
    case "rules":
    case "schedule":
    case "caps":
    case "prices":
      return field.words(value, t);
    case "select":
    case "boxes":
    case "several":
      return (
        [value]
          .flat()
          .map((one) => field.choices.find((choice) => String(choice.value) === String(one))?.label ?? String(one))
          .join(t("ui.comma")) || EMPTY
      );
    case "tree":
      return (
        field.nodes
          .flatMap(leavesOf)
          .filter(({ id }) => [value].flat().includes(id))
          .map(({ label }) => label)
          .join(t("ui.comma")) || EMPTY
      );
    default:
      return Array.isArray(value) ? value.join(t("ui.comma")) || EMPTY : String(value);
  }
}
