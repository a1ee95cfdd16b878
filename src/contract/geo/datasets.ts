import * as z from "zod";
import { fixedListQuery, listBody } from "../lists.ts";
import { bytes, json, members, replies, repliesEmpty, route } from "../route.ts";
import { flag, slug, storedId, timestamp, uuid } from "../values.ts";
import { importFormats } from "./import-formats.ts";

/** The name of a dataset in paths: kebab-case, at most 63 characters. */
const datasetName = slug.max(63);
export const datasetParams = z.object({ dataset: datasetName });

/** The workspace of a link without a header field; both must be the same if both are given. */
export const tenantQuery = { tenant_id: uuid.optional().describe("The workspace") };
export const onlyTenant = z.object(tenantQuery);

/** West, south, east and north in degrees; west is above east across 180 degrees. */
export const boundingBox = z.array(z.number()).length(4);

const dataset = z
  .looseObject({
    dataset: z.string(),
    title: z.string().optional(),
    description: z.string().optional(),
    /** Where the data come from, such as a URL. */
    source: z.string().optional(),
    /** The licence of the data, such as `CC-BY-4.0`. */
    licence: z.string().optional(),
    /** The words that the licence asks to be shown with the data. */
    attribution: z.string().optional(),
    /** Properties with names of features; empty for those that are called like a name. */
    nameProperties: z.array(z.string()).optional(),
    /** The version, which each change of the dataset and of its features raises. */
    version: z.int().optional(),
    /** The number of its features. */
    features: z.int().optional(),
    /** A box with all features; null without a geometry. */
    bbox: boundingBox.nullable().optional(),
    created_by: z.string().optional(),
    created_at: timestamp.optional(),
    updated_by: z.string().optional(),
    updated_at: timestamp.optional(),
  })
  .meta({ id: "GeoDataset" });
/** Features of one kind, such as wards or parks. */
export type GeoDataset = z.output<typeof dataset>;

const words = (maximum: number) => z.string().trim().max(maximum);
const describing = {
  description: words(4_000).optional(),
  source: words(1_000).optional(),
  licence: words(200).optional(),
  attribution: words(1_000).optional(),
  nameProperties: z
    .array(z.string().min(1).max(200))
    .max(8)
    .optional()
    .describe("Properties with names of features; default: those that are called like a name"),
};
const title = words(200).min(1);
const version = z.int().min(1).optional().describe("Refuses 409 if it is not the current one");

const creation = z.strictObject({ dataset: datasetName, title: title.optional(), ...describing });
export type DatasetCreation = z.output<typeof creation>;

const replacement = z.strictObject({ title, ...describing, version });
export type DatasetReplacement = z.output<typeof replacement>;

const changes = z.strictObject({ title: title.optional(), ...describing, version });
export type DatasetChanges = z.output<typeof changes>;

const isChosen = flag.optional();
const column = z.string().min(1).max(200).optional();

const importQuery = z.object({
  ...tenantQuery,
  format: z.enum(importFormats).optional().describe("Format of the file; default by content"),
  dryRun: isChosen.describe("Reads and checks the file, and stores nothing"),
  repair: isChosen.describe("Mends geometries where there is one obvious way"),
  keep: isChosen.describe("Keeps geometries whose rings cross or run along each other"),
  skip: isChosen.describe("Leaves invalid features out; without it one of them refuses the file"),
  id: column.describe(
    "Property or column with the ids of features; default: their own or new ones",
  ),
  longitude: column.describe("Column of a CSV file with longitudes; default by its name"),
  latitude: column.describe("Column of a CSV file with latitudes; default by its name"),
  wkt: column.describe("Column of a CSV file with geometries as WKT; default by its name"),
});
export type ImportQuery = z.output<typeof importQuery>;

const importFault = z.looseObject({
  /** The place of the feature in the file, from 1. */
  feature: z.int(),
  /** Its id in the file. */
  id: z.string().nullable().optional(),
  /** The place in the feature, such as `/geometry/coordinates/0/3`. */
  pointer: z.string().optional(),
  detail: z.string(),
});
/** The reason why a feature was refused. */
export type ImportFault = z.output<typeof importFault>;

const datasetImport = z
  .looseObject({
    jobId: storedId,
    dataset: z.string(),
    status: z
      .string()
      .describe(
        "queued, running, interrupted, succeeded, completed_with_errors, failed, cancelled",
      ),
    percentCompleted: z.number().optional(),
    dryRun: z.boolean().optional(),
    format: z.string().nullable().optional(),
    /** Features that were read, stored, repaired and refused so far. */
    counts: z
      .looseObject({
        read: z.int(),
        stored: z.int(),
        repaired: z.int(),
        refused: z.int(),
      })
      .optional(),
    /** The first 1,000 refused features with their reasons. */
    faults: z.array(importFault).optional(),
    error: z
      .looseObject({ code: z.string().optional(), message: z.string() })
      .nullable()
      .optional(),
    created_by: z.string().optional(),
    created_at: timestamp.optional(),
    updated_at: timestamp.optional(),
  })
  .meta({ id: "GeoImport" });
/** An import of a file into a dataset, which runs as a job. */
export type DatasetImport = z.output<typeof datasetImport>;

/** The base role that manages datasets, and the one that writes their features. */
const reads = members("tenant-viewer", "header", "spec 4.6, interface.md");
const manages = members("tenant-builder", "header", "spec 4.6, interface.md");
const writes = members("tenant-staff", "header", "spec 4.6, interface.md");
const path = "/v4/geo/datasets";

/** Datasets of a workspace. Coordinates are WGS 84, longitude first, as in GeoJSON (RFC 7946). */
export const geoDatasetRoutes = {
  list: route.get(path, {
    summary: "List the datasets of a workspace, the newest first",
    ...reads,
    query: fixedListQuery.extend(tenantQuery),
    reply: replies(listBody(dataset)),
  }),
  create: route.post(path, {
    summary: "Create a dataset without features",
    ...manages,
    query: onlyTenant,
    body: json(creation),
    reply: replies(dataset, 201),
    idempotent: true,
  }),
  get: route.get(`${path}/{dataset}`, {
    summary: "Get a dataset",
    ...reads,
    params: datasetParams,
    query: onlyTenant,
    reply: replies(dataset),
  }),
  replace: route.put(`${path}/{dataset}`, {
    summary: "Replace the description of a dataset; its features stay",
    ...manages,
    params: datasetParams,
    query: onlyTenant,
    body: json(replacement),
    reply: replies(dataset),
    guarded: true,
  }),
  update: route.patch(`${path}/{dataset}`, {
    summary: "Change the description of a dataset",
    ...manages,
    params: datasetParams,
    query: onlyTenant,
    body: json(changes),
    reply: replies(dataset),
    guarded: true,
  }),
  remove: route.delete(`${path}/{dataset}`, {
    summary: "Delete a dataset with its features",
    ...manages,
    params: datasetParams,
    query: onlyTenant,
    reply: repliesEmpty,
    guarded: true,
  }),
  /**
   * The file replaces all features of the dataset once all of it was read: until then, and after a
   * refusal, the dataset has its former features.
   */
  import: route.put(`${path}/{dataset}/import`, {
    summary: "Replace the features of a dataset by those of a file, as a job",
    ...writes,
    params: datasetParams,
    query: importQuery,
    body: bytes,
    reply: replies(datasetImport, 202),
  }),
  importJob: route.get(`${path}/{dataset}/imports/{jobId}`, {
    summary: "Get the state of an import, with the reasons of refused features",
    ...reads,
    params: datasetParams.extend({ jobId: storedId }),
    query: onlyTenant,
    reply: replies(datasetImport),
  }),
  /** Refuses 409 for an import that has ended. */
  cancelImport: route.post(`${path}/{dataset}/imports/{jobId}/cancel`, {
    summary: "Stop an import; the dataset keeps its former features",
    ...writes,
    params: datasetParams.extend({ jobId: storedId }),
    query: onlyTenant,
    reply: replies(datasetImport),
  }),
};
