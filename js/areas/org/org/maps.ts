/** Conversion of maps of field and value names between what people type and JSON. */
import type { Inputs } from "../../../ui/form";

/** What an organisation calls a field; dots are paths. */
export const FIELD_NAME = /^[\w.[\]-]+$/;
/** A line of a value's name: `sex.male = 1`. */
export const VALUE_LINE = /^\w+\.[^=]+=.+$/;

type Names = Readonly<Record<string, string>>;
type Values = Readonly<Record<string, Names>>;

export const linesOfFields = (map: Names): string[] => Object.entries(map).map(([ours, theirs]) => `${ours} = ${theirs}`);

export const linesOfValues = (map: Values): string[] =>
  Object.entries(map).flatMap(([field, names]) => linesOfFields(names).map((line) => `${field}.${line}`));

/** The parts before and after the first occurrence of a sign. */
function parted(line: string, sign: string): [string, string] {
  const at = line.indexOf(sign);
  return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
}

const NAME = "name-";
/** The input with the name of a field at an organisation. */
export const nameInput = (field: string) => `${NAME}${field}`;
export const isNameInput = (input: string) => input.startsWith(NAME);

/** The names that are typed, by our fields. */
export const namesOf = (fields: readonly string[], inputs: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const name = String(inputs[nameInput(field)] ?? "").trim();
      return name === "" ? [] : [[field, name]];
    }),
  );

/** The lines of an input, without empty ones. */
export const linesOf = (input: Inputs[string] | undefined): string[] =>
  String(input ?? "")
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

export function valuesOfLines(lines: readonly string[]): Record<string, Record<string, string>> {
  const map: Record<string, Record<string, string>> = {};
  for (const line of lines) {
    const [name, theirs] = parted(line, "=");
    const [field, ours] = parted(name, ".");
    (map[field] ??= {})[ours] = theirs;
  }
  return map;
}
