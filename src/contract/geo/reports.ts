import * as z from "zod";
import { fixedListQuery, listBody } from "../lists.ts";
import { json, members, replies, repliesAlsoAs, repliesEmpty, route } from "../route.ts";
import { fieldPath } from "../resources/reads/aggregate.ts";
import { jsonObject, objectTypeSlug, slug, timestamp } from "../values.ts";
import { onlyTenant, tenantQuery } from "./datasets.ts";

const reportName = slug.max(63);
const reportParams = z.object({ report: reportName });

const position = z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)]);
/** Half the way around the earth is 20,015 km. */
const metres = z.number().min(0).max(20_100_000);

/** Records of an Object Type by a `geopoint` or `geometry`, or the features of a dataset. */
const source = z.union([
  z.strictObject({ type: objectTypeSlug, property: fieldPath }),
  z.strictObject({ dataset: slug.max(63) }),
]);

const by = z.discriminatedUnion("kind", [
  /**
   * A row for each area of a dataset, also without items. An item counts where a position of it is
   * inside; on a common boundary it counts in the first area. `name` is the property with names.
   */
  z.strictObject({
    kind: z.literal("areas"),
    dataset: slug.max(63),
    name: z.string().min(1).max(200).optional(),
  }),
  /** A row for each cell with items; cells of `metres` have that height, and nearly that width. */
  z.strictObject({
    kind: z.literal("grid"),
    degrees: z.number().min(0.0001).max(90).optional(),
    metres: z.number().min(10).max(5_000_000).optional(),
  }),
  /** A row for each ring: up to a distance, and farther than the one before. */
  z.strictObject({
    kind: z.literal("rings"),
    position,
    metres: z.array(metres).min(1).max(100),
  }),
  /** The nearest items, the nearest first. */
  z.strictObject({
    kind: z.literal("nearest"),
    position,
    count: z.int().min(1).max(500),
    metres: metres.optional(),
  }),
  /** The items within a distance of a geometry, the nearest first. */
  z.strictObject({ kind: z.literal("buffer"), geometry: jsonObject, metres }),
]);
export type ReportBy = z.output<typeof by>;
export type ReportSource = z.output<typeof source>;

/** `count` counts items, or with a field those with a value; `sum` and `avg` take numbers. */
const metric = z.strictObject({ op: z.enum(["count", "sum", "avg"]), field: fieldPath.optional() });
const alias = z
  .string()
  .max(64)
  .regex(/^[A-Za-z_][\w-]*$/, "must be a name: a letter or _, then letters, digits, _ or -");
const metrics = z.record(alias, metric);
export type ReportMetrics = z.output<typeof metrics>;

const title = z.string().trim().min(1).max(200);
const description = z.string().trim().max(4_000);
const version = z.int().min(1).optional().describe("Refuses 409 if it is not the current one");
const where = jsonObject.describe("Filter of the items, with the meaning of MongoDB's query");

const defining = {
  source,
  where: where.optional(),
  by,
  metrics: metrics.optional().describe("Values of each group by name; default: `count`"),
};
const creation = z.strictObject({
  report: reportName,
  title: title.optional(),
  description: description.optional(),
  ...defining,
});
export type ReportCreation = z.output<typeof creation>;
/** The definition of a stored report. */
export const reportDefinition = z.strictObject(defining);
export type ReportDefinition = Pick<ReportCreation, "source" | "where" | "by" | "metrics">;

const replacement = creation.omit({ report: true }).extend({ title, version });
export type ReportReplacement = z.output<typeof replacement>;

const changes = z.strictObject({
  title: title.optional(),
  description: description.optional(),
  source: source.optional(),
  where: where.nullable().optional(),
  by: by.optional(),
  metrics: metrics.nullable().optional(),
  version,
});
export type ReportChanges = z.output<typeof changes>;

const report = z
  .looseObject({
    report: z.string(),
    title: z.string().optional(),
    description: z.string().optional(),
    source: jsonObject.optional(),
    where: jsonObject.optional(),
    by: jsonObject.optional(),
    metrics: jsonObject.optional(),
    version: z.int().optional(),
    created_by: z.string().optional(),
    created_at: timestamp.optional(),
    updated_by: z.string().optional(),
    updated_at: timestamp.optional(),
  })
  .meta({ id: "GeoReport" });
/** A stored question about records or features by place. */
export type GeoReport = z.output<typeof report>;

const row = z.looseObject({
  /** The id of an area or of an item, the south-west corner of a cell, or the metres of a ring. */
  key: z.string(),
  name: z.string().nullable().optional(),
  /** The values of a group; `avg` is null without numbers. */
  metrics: jsonObject.optional(),
  /** Metres to the position or to the geometry. */
  distance: z.number().optional(),
  /** The geometry of an item; groups have one in GeoJSON only. */
  geometry: jsonObject.nullable().optional(),
  /** The properties of an item that the caller may read. */
  properties: jsonObject.optional(),
});
export type ReportRow = z.output<typeof row>;

const result = z
  .looseObject({
    report: z.string(),
    kind: z.string().optional(),
    at: timestamp.optional(),
    /** Items that were read; those without a geometry are in no row. */
    items: z.int().optional(),
    /** Items that are in a row. */
    placed: z.int().optional(),
    rows: z.array(row),
  })
  .meta({ id: "GeoReportResult" });
export type ReportResult = z.output<typeof result>;

const reads = members("tenant-viewer", "header", "spec 4.6, interface.md");
const writes = members("tenant-staff", "header", "spec 4.6, interface.md");
const path = "/v4/geo/reports";

/**
 * Stored reports of a workspace about records and features by place. A report that names a type or a
 * property which the caller may not read does not exist for them.
 */
export const geoReportRoutes = {
  list: route.get(path, {
    summary: "List the reports of a workspace, the newest first",
    ...reads,
    query: fixedListQuery.extend(tenantQuery),
    reply: replies(listBody(report)),
  }),
  create: route.post(path, {
    summary: "Create a report",
    ...writes,
    query: onlyTenant,
    body: json(creation),
    reply: replies(report, 201),
    idempotent: true,
  }),
  get: route.get(`${path}/{report}`, {
    summary: "Get a report",
    ...reads,
    params: reportParams,
    query: onlyTenant,
    reply: replies(report),
  }),
  replace: route.put(`${path}/{report}`, {
    summary: "Replace a report",
    ...writes,
    params: reportParams,
    query: onlyTenant,
    body: json(replacement),
    reply: replies(report),
    guarded: true,
  }),
  update: route.patch(`${path}/{report}`, {
    summary: "Change a report; null removes its filter or its metrics",
    ...writes,
    params: reportParams,
    query: onlyTenant,
    body: json(changes),
    reply: replies(report),
    guarded: true,
  }),
  remove: route.delete(`${path}/{report}`, {
    summary: "Delete a report",
    ...writes,
    params: reportParams,
    query: onlyTenant,
    reply: repliesEmpty,
    guarded: true,
  }),
  /**
   * The rows have what the caller may read. A property that the type no longer has is refused 422,
   * and a missing type or dataset 409. A report reads at most 100,000 items and has at most
   * 10,000 rows; a larger one is refused 422 with the limit.
   */
  run: route.post(`${path}/{report}/run`, {
    summary: "Run a report, as JSON, GeoJSON or CSV by the Accept field",
    ...reads,
    params: reportParams,
    query: onlyTenant,
    reply: repliesAlsoAs(result, ["application/geo+json", "text/csv"]),
    asks: true,
  }),
};
