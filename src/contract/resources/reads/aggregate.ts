import * as z from "zod";
import { maximumAggregateLimit } from "../../limits.ts";
import { named } from "../../deployments.ts";
import { rule } from "../../plain/rule.ts";
import { jsonObject } from "../../values.ts";

export const fieldPath = z
  .string()
  .max(512)
  .regex(/^[\w]+(\.[\w]+){0,15}$/, "must be a field name");

const metricOperations = ["count", "sum", "avg", "min", "max", "count_distinct"] as const;

/**
 * One metric of each group. `count` counts records, or with a field the records that have a value
 * there; `sum` adds numbers; null and missing values are left out.
 */
export const metric = z
  .strictObject({ op: z.enum(metricOperations), field: fieldPath.optional() })
  .refine(rule("field of metric"), {
    error: "is required",
    path: ["field"],
  })
  .meta({ id: "Metric" });
export type Metric = z.output<typeof metric>;

const alias = z
  .string()
  .max(64)
  .regex(/^[A-Za-z_][\w-]*$/, "must be a name: a letter or _, then letters, digits, _ or -");

/** Groups have equal values in all fields of `groupBy`; null and no value are one group. */
export const aggregation = z
  .strictObject({
    groupBy: z.array(fieldPath).max(8).default([]),
    metrics: z
      .record(alias, metric)
      .refine(rule("members at least", 1), {
        error: "must have at least 1 metric",
      })
      .refine(rule("members at most", 50), {
        error: "must have at most 50 metrics",
      }),
    where: jsonObject.optional().describe("Filter with the meaning of MongoDB's query"),
    limit: z
      .int()
      .min(1)
      .max(maximumAggregateLimit)
      .optional()
      .describe("Rows, 1 to 10,000 (default 1,000)"),
  })
  .meta({ id: "Aggregation" });
export type Aggregation = z.output<typeof aggregation>;
/** The groups (`groupBy`: fields) and their named `metrics` (spec 4.2). */
export type AggregateInput = z.input<typeof aggregation>;

/** Groups sort by value: null first, then numbers, texts, lists, false and true. */
export const aggregateAnswer = z
  .looseObject({
    rows: named(z.array(z.looseObject({ group: jsonObject, metrics: jsonObject }))),
    truncated: z.boolean().optional(),
  })
  .meta({ id: "AggregateAnswer" });
/** One row per group, sorted by group; `truncated` when there are more groups than the limit. */
export type AggregateAnswer = z.output<typeof aggregateAnswer>;
