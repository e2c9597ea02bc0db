/** The titles of the fields of every module in the audit trail, from the trail.ts of each record's folder. */
import { trails } from "virtual:trails";
import type { Module } from "../../../lib/api-types";
import type { MessageKey } from "../../../lib/i18n";
import type { FieldTitles } from "../../../ui/changes";
import type { Field } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";

/** Titles of keys of any module: of exported and imported files, and of searches for whole numbers. */
const everywhere: FieldTitles = {
  format: "ui.exportFormat",
  columns: "ui.exportColumns",
  rows: "logs.rows",
  sort: "logs.sort",
  sha256: "logs.sha256",
  started: "logs.started",
  ended: "logs.ended",
  good: "logs.good",
  duplicate: "logs.duplicate",
  wrong: "logs.wrong",
  keyword: "logs.keyword",
  version: "logs.version",
  revealLimit: "logs.revealLimit",
  plain: "logs.plain",
  plainReason: "logs.plainReason",
  revealed: "logs.revealed",
};

/** A module with the titles of all its records. */
interface Whole {
  fields: readonly Field<never>[];
  titles: FieldTitles;
  filters: readonly Filter[];
}

const whole = new Map<Module, Whole>();
for (const { module, fields = [], titles, filters = [] } of trails.flat()) {
  const before = whole.get(module);
  whole.set(module, {
    fields: [...(before?.fields ?? []), ...fields],
    titles: { ...before?.titles, ...titles },
    filters: [...(before?.filters ?? []), ...filters],
  });
}

/** The fields of a module's records, with the titles and formats of the trail's entries. */
export function fieldsOf(module: Module): readonly Field<never>[] {
  return whole.get(module)?.fields ?? [];
}

/** The titles of all other keys of a module. */
export function titlesOf(module: Module): FieldTitles {
  const { filters = [], titles } = whole.get(module) ?? {};
  return { ...everywhere, ...Object.fromEntries(filters.flatMap(namesOf)), ...titles };
}

/** A filter of days is sent as two parameters. */
function namesOf({ name, label, kind }: Filter): [string, MessageKey][] {
  return kind === "days"
    ? [
        [`${name}From`, label],
        [`${name}To`, label],
      ]
    : [[name, label]];
}
