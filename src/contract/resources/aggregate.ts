import * as z from "zod";
import { maximumAggregateLimit } from "../limits.ts";
import { jsonObject } from "../values.ts";

const fieldPath = z
  .string()
  .max(512)
  .regex(/^[\w]+(\.[\w]+){0,15}$/, "is not a field name");

const metricOperations = ["count", "sum", "avg", "min", "max", "count_distinct"] as const;

/**
 * One figure of each group. `count` without a field counts records, with one those that have a
 * value there; only numbers are summed, and what is null or missing is left out.
 */
export const metric = z
  .strictObject({ op: z.enum(metricOperations), field: fieldPath.optional() })
  .refine(({ op, field }) => op === "count" || field !== undefined, {
    error: "is required",
    path: ["field"],
  })
  .meta({ id: "Metric" });
export type Metric = z.output<typeof metric>;

const alias = z
  .string()
  .max(64)
  .regex(/^[A-Za-z_][\w-]*$/, "is not a name");

/**
 * Records of one type in groups (interface: `POST /{type}/aggregate`). A group is what the fields
 * hold, a list as a whole; records with null or nothing there are one group, `null`.
 */
export const aggregation = z
  .strictObject({
    groupBy: z.array(fieldPath).max(8).default([]),
    metrics: z
      .record(alias, metric)
      .refine((metrics) => Object.keys(metrics).length > 0, { error: "must have a metric" })
      .refine((metrics) => Object.keys(metrics).length <= 50, { error: "has more than 50" }),
    where: jsonObject.optional().describe("Filter with the meaning of MongoDB's query"),
    limit: z
      .int()
      .min(1)
      .max(maximumAggregateLimit)
      .optional()
      .describe("Rows, 1 to 10,000; 1,000 if absent"),
  })
  .meta({ id: "Aggregation" });
export type Aggregation = z.output<typeof aggregation>;
/** Which figures of which groups: `metrics` names each of them, `groupBy` are fields (spec 4.2). */
export type AggregateInput = z.input<typeof aggregation>;

/** In the order of their groups: null first, then numbers, texts, lists, false and true. */
export const aggregateAnswer = z
  .looseObject({
    rows: z.array(z.looseObject({ group: jsonObject, metrics: jsonObject })),
    /** There are more groups than the limit. */
    truncated: z.boolean().optional(),
  })
  .meta({ id: "AggregateAnswer" });
/** A row a group, in the order of the groups; `truncated` where the limit left some out. */
export type AggregateAnswer = z.output<typeof aggregateAnswer>;
