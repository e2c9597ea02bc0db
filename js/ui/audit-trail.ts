/** What the audit trail calls what is written in it. A record says it in its folder's trail.ts, which the page of the trail reads. */
import type { Module } from "../lib/api-types";
import type { FieldTitles } from "./changes";
import type { Field } from "./field";
import type { Filter } from "./list-filter";

export interface AuditTrail {
  module: Module;
  /** The module's place among those that the page filters by. Of several records of one module the first says it. */
  order?: number;
  /** By which the values are read, too. */
  fields?: readonly Field<never>[];
  /** What no field of a record is called. */
  titles?: FieldTitles;
  /** Of its lists: the trail of an export tells them. */
  filters?: readonly Filter[];
}
