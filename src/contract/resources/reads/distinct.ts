import * as z from "zod";
import { named } from "../../deployments.ts";
import { maximumPageLimit } from "../../limits.ts";
import { listBody } from "../../lists.ts";
import { jsonObject } from "../../values.ts";
import { fieldPath } from "./aggregate.ts";

/**
 * The values of a property or system field; each item of a list is one. Records without a value are
 * not counted. `count` sorts the most frequent value first, `value` as an aggregate sorts its
 * groups.
 */
export const distinctRequest = z
  .strictObject({
    property: fieldPath,
    where: jsonObject.optional().describe("Filter with the meaning of MongoDB's query"),
    order: z.enum(["count", "value"]).optional().describe("Default: count"),
    limit: z
      .int()
      .min(1)
      .max(maximumPageLimit)
      .optional()
      .describe("Values, 1 to 500 (default 20)"),
    cursor: z.string().max(4096).optional().describe("`nextCursor` of the previous page"),
  })
  .meta({ id: "DistinctRequest" });
export type DistinctRequest = z.output<typeof distinctRequest>;

const distinctValue = z
  .looseObject({ value: z.unknown(), count: named(z.int()) })
  .meta({ id: "DistinctValue" });
/** A value of a property, and the number of records that have it. */
export type DistinctValue = z.output<typeof distinctValue>;

export const distinctAnswer = listBody(distinctValue);
export type DistinctAnswer = z.output<typeof distinctAnswer>;
