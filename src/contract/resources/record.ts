import * as z from "zod";
import { named } from "../deployments.ts";
import { jsonObject, timestamp } from "../values.ts";

const recordMembers = {
  id: named(z.string()),
  type: z.string().optional(),
  version: named(z.int()),
  data: named(jsonObject),
  created_at: timestamp.optional(),
  updated_at: timestamp.optional(),
  created_by: z.string().nullable().optional(),
  updated_by: z.string().nullable().optional(),
};

const expandedRecord = z.looseObject(recordMembers).meta({ id: "ExpandedRecord" });
/** A record that another one refers to, or that refers to it. */
export type ExpandedRecord = z.output<typeof expandedRecord>;

/** Null for a record that does not exist; the first 100 of a list, with the number of all. */
const expansion = z.union([
  z.null(),
  z
    .looseObject({ items: z.array(expandedRecord.nullable()), total: z.int() })
    .meta({ id: "ExpandedRecords" }),
  expandedRecord,
]);
/** The records of one name of `expand`. */
export type Expansion = z.output<typeof expansion>;

export const expanded = z.record(z.string(), expansion).optional();

export const resource = z.looseObject({ ...recordMembers, expanded }).meta({ id: "Resource" });
/**
 * A record; `version` starts at 1 and guards updates, times are RFC 3339 (spec 2.3). `expanded` has
 * the records that the request's `expand` names.
 */
export type Resource = z.output<typeof resource>;
