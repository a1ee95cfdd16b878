import * as z from "zod";
import { fixedListQuery, listBody, listQuery } from "../lists.ts";
import { json, members, replies, repliesEmpty, route } from "../route.ts";
import { jsonObject, opaqueId, timestamp } from "../values.ts";
import { boundingBox, datasetParams, onlyTenant, tenantQuery } from "./datasets.ts";

export const featureParams = datasetParams.extend({ feature: opaqueId.max(255) });

/** A geometry of GeoJSON; its place and reason are in the fault of one that is not valid. */
const geometry = jsonObject;

const feature = z
  .looseObject({
    type: z.string().optional().describe("Feature"),
    id: z.string(),
    geometry: geometry.nullable().optional(),
    properties: jsonObject.nullable().optional(),
    version: z.int().optional(),
    created_at: timestamp.optional(),
    updated_at: timestamp.optional(),
    /** Metres to the position of `near`. */
    distance: z.number().optional(),
  })
  .meta({ id: "GeoFeature" });
/** A feature of GeoJSON (RFC 7946), with its version. */
export type GeoFeature = z.output<typeof feature>;

const creation = z.strictObject({
  type: z.literal("Feature").optional(),
  id: opaqueId.max(255).optional().describe("Default: a new UUID"),
  geometry: geometry.nullable(),
  properties: jsonObject.nullable().optional(),
});
export type FeatureCreation = z.output<typeof creation>;

const changes = z.strictObject({
  geometry: geometry.nullable().optional(),
  /** A JSON Merge Patch (RFC 7396). */
  properties: jsonObject.optional(),
  version: z.int().min(1).optional().describe("Refuses 409 if it is not the current one"),
});
export type FeatureChanges = z.output<typeof changes>;

/** `west,south,east,north`, also with heights as in OGC API Features. */
export const boxText = z
  .string()
  .max(200)
  .regex(
    /^-?[\d.e+-]+(?:,-?[\d.e+-]+){3}(?:(?:,-?[\d.e+-]+){2})?$/i,
    "must be west,south,east,north in degrees",
  )
  .describe("west,south,east,north: features that meet this box");
const nearText = z
  .string()
  .max(100)
  .regex(/^-?[\d.]+,-?[\d.]+,\d+(?:\.\d+)?$/, "must be longitude,latitude,metres")
  .describe("longitude,latitude,metres: features within this distance");

const query = listQuery.omit({ sort: true }).extend({
  ...tenantQuery,
  bbox: boxText.optional(),
  near: nearText.optional(),
});
export type FeatureListQuery = z.output<typeof query>;

const position = z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)]);

const search = z.strictObject({
  ...fixedListQuery.shape,
  bbox: boundingBox.optional(),
  near: z.strictObject({ position, metres: z.number().min(0).max(20_100_000) }).optional(),
  /** Features that are in this Polygon or MultiPolygon, and not only on its boundary. */
  within: geometry.optional(),
  /** Features that have a point in common with this geometry. */
  intersects: geometry.optional(),
  /** A filter of properties, with the meaning of MongoDB's query. */
  where: jsonObject.optional(),
});
export type FeatureSearch = z.output<typeof search>;

const reads = members("tenant-viewer", "header", "spec 4.6, interface.md");
const writes = members("tenant-staff", "header", "spec 4.6, interface.md");
const path = "/v4/geo/datasets/{dataset}/features";

/**
 * Features of a dataset, in the order of their creation. A `where` filters properties. A cursor
 * ends when an import replaces the features.
 */
export const geoFeatureRoutes = {
  list: route.get(path, {
    summary: "List the features of a dataset by box, distance and properties",
    ...reads,
    params: datasetParams,
    query,
    reply: replies(listBody(feature)),
  }),
  create: route.post(path, {
    summary: "Create a feature",
    ...writes,
    params: datasetParams,
    query: onlyTenant,
    body: json(creation),
    reply: replies(feature, 201),
    idempotent: true,
  }),
  query: route.post(`${path}/query`, {
    summary: "Find features within or across a geometry, by box, distance and properties",
    ...reads,
    params: datasetParams,
    query: onlyTenant,
    body: json(search),
    reply: replies(listBody(feature)),
    asks: true,
  }),
  get: route.get(`${path}/{feature}`, {
    summary: "Get a feature",
    ...reads,
    params: featureParams,
    query: onlyTenant,
    reply: replies(feature),
  }),
  update: route.patch(`${path}/{feature}`, {
    summary: "Change a feature's geometry or properties",
    ...writes,
    params: featureParams,
    query: onlyTenant,
    body: json(changes),
    reply: replies(feature),
    guarded: true,
  }),
  remove: route.delete(`${path}/{feature}`, {
    summary: "Delete a feature",
    ...writes,
    params: featureParams,
    query: onlyTenant,
    reply: repliesEmpty,
    guarded: true,
  }),
};
