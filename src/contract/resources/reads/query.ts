import * as z from "zod";
import { maximumPageLimit } from "../../limits.ts";
import { sortParameter } from "../../lists.ts";
import { jsonObject, objectTypeSlug } from "../../values.ts";
import { collation } from "./collation.ts";
import { selection } from "./selection.ts";

/** Object Types of one query. */
export const maximumQueryTypes = 50;

/** `sort` takes system fields, and properties that all types have with one kind of value. */
export const resourceQuery = z
  .strictObject({
    types: z.array(objectTypeSlug).min(1).max(maximumQueryTypes).describe("Exact stored slugs"),
    where: jsonObject.optional().describe("Filter with the meaning of MongoDB's query"),
    ...selection,
    sort: sortParameter.optional().describe("Field names, `-` first for descending"),
    collation,
    limit: z.int().min(1).max(maximumPageLimit).optional().describe("Items, 1 to 500 (default 20)"),
    cursor: z.string().max(4096).optional().describe("`nextCursor` of the previous page"),
  })
  .meta({ id: "ResourceQuery" });
export type ResourceQuery = z.output<typeof resourceQuery>;
