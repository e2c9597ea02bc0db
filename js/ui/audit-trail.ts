/** The titles of a module and its fields in the audit trail. Each record has them in its folder's trail.ts, which the page of the trail reads. */
import type { Module } from "../lib/api-types";
import type { FieldTitles } from "./changes";
import type { Field } from "./field";
import type { Filter } from "./list-filter";

export interface AuditTrail {
  module: Module;
  /** The fields, by which values are formatted too. */
  fields?: readonly Field<never>[];
  /** Titles of keys that are no fields of a record. */
  titles?: FieldTitles;
  /** Filters of its lists, which are in the trail of an export. */
  filters?: readonly Filter[];
}
