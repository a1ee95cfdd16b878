import * as z from "zod";
import { maximumPageLimit } from "../limits.ts";
import { sortParameter } from "../lists.ts";
import { jsonObject, objectTypeSlug } from "../values.ts";

/** Object Types of one query. */
export const maximumQueryTypes = 50;

/**
 * Records of several Object Types in one order (interface: `POST /query`). `sort` names system
 * fields, or properties that every one of the types has with values of one kind.
 */
export const resourceQuery = z
  .strictObject({
    types: z.array(objectTypeSlug).min(1).max(maximumQueryTypes).describe("Exact stored slugs"),
    where: jsonObject.optional().describe("Filter with the meaning of MongoDB's query"),
    sort: sortParameter.optional().describe("Field names, `-` first for descending"),
    limit: z
      .int()
      .min(1)
      .max(maximumPageLimit)
      .optional()
      .describe("Items, 1 to 500; 20 if absent"),
    cursor: z.string().max(4096).optional().describe("`nextCursor` of the previous page"),
  })
  .meta({ id: "ResourceQuery" });
export type ResourceQuery = z.output<typeof resourceQuery>;
