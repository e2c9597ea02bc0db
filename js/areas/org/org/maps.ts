/** Conversion of maps of field and value names between lines that people type and JSON. */

/** A line of a field's name: `name = userName`. */
export const FIELD_LINE = /^\w+\s*=\s*[\w.[\]-]+$/;
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

export const fieldsOfLines = (lines: readonly string[]): Record<string, string> =>
  Object.fromEntries(lines.map((line) => parted(line, "=")));

export function valuesOfLines(lines: readonly string[]): Record<string, Record<string, string>> {
  const map: Record<string, Record<string, string>> = {};
  for (const line of lines) {
    const [name, theirs] = parted(line, "=");
    const [field, ours] = parted(name, ".");
    (map[field] ??= {})[ours] = theirs;
  }
  return map;
}
