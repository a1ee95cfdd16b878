import * as z from "zod";
import { listQuery } from "../../lists.ts";
import { collation } from "./collation.ts";

/** Records in one expansion of a record. */
export const maximumExpanded = 100;

/**
 * `fields=reference,status`: the top-level properties of the answer's data; `fields=-notes` leaves
 * some out instead. An unknown name is refused.
 */
const fieldsParameter = z
  .string()
  .max(8192)
  .regex(/^-?\w+(,-?\w+){0,99}$/, "must be up to 100 names of properties, separated by commas");

/**
 * `expand=officer` follows a reference, a list of references or a link type, one level.
 * `expand=inspection.site` gives the records of the type `inspection` whose reference `site` names
 * the record, the newest first.
 */
const expandParameter = z
  .string()
  .max(2048)
  .regex(/^[^,]+(,[^,]+){0,7}$/, "must be up to 8 names, separated by commas");

/** The parts of records that a read returns. */
export const selection = {
  fields: fieldsParameter.optional().describe("Properties of the data, or with `-` all others"),
  expand: expandParameter.optional().describe("References to follow, and `type.reference` to one"),
};

/** The query of a list of records. */
export const resourceListQuery = listQuery.extend({ ...selection, collation });
export type ResourceListQuery = z.output<typeof resourceListQuery>;
