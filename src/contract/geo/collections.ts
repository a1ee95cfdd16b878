import * as z from "zod";
import { feedPlace } from "../lists.ts";
import { changes } from "../plain/rules.ts";
import {
  jsonAlsoAs,
  members,
  replies,
  repliesEmpty,
  repliesGeojson,
  repliesSchema,
  route,
} from "../route.ts";
import { jsonObject, opaqueId, wholeNumber } from "../values.ts";
import { datasetParams, onlyTenant, tenantQuery } from "./datasets.ts";
import { boxText, featureParams } from "./features.ts";

const link = z.looseObject({
  href: z.string(),
  rel: z.string(),
  type: z.string().optional(),
  title: z.string().optional(),
});
export type OgcLink = z.output<typeof link>;
const links = z.array(link);

const landing = z.looseObject({ title: z.string(), description: z.string(), links });
const conformance = z.looseObject({ conformsTo: z.array(z.string()) });

const collection = z
  .looseObject({
    id: z.string(),
    title: z.string().optional(),
    description: z.string().optional(),
    attribution: z.string().optional(),
    links,
    /** Boxes that have all features. */
    extent: jsonObject.optional(),
    itemType: z.string().optional(),
    crs: z.array(z.string()).optional(),
  })
  .meta({ id: "OgcCollection" });
/** A dataset as a collection of OGC API Features. */
export type OgcCollection = z.output<typeof collection>;

const item = z.looseObject({
  type: z.string(),
  id: z.string(),
  geometry: jsonObject.nullable(),
  properties: jsonObject.nullable(),
});

const items = z
  .looseObject({
    type: z.string(),
    features: z.array(item),
    links,
    timeStamp: z.string(),
    numberReturned: z.int(),
    /** Absent for a request with a filter. */
    numberMatched: z.int().optional(),
    ...feedPlace,
  })
  .meta({ id: "OgcItems" });
export type OgcItems = z.output<typeof items>;

/** Members that GeoJSON or the standard adds to a feature, such as `links`, are not stored. */
const newItem = z.looseObject({
  type: z.literal("Feature"),
  id: z
    .union([z.string(), z.int().transform(changes.text)])
    .pipe(opaqueId.max(255))
    .optional()
    .describe("Default: a new UUID"),
  geometry: jsonObject.nullable(),
  properties: jsonObject.nullable().optional(),
});
export type NewItem = z.output<typeof newItem>;

/** A JSON Merge Patch (RFC 7396) of a feature. */
const itemChanges = z.looseObject({
  geometry: jsonObject.nullable().optional(),
  properties: jsonObject.nullable().optional(),
});
export type ItemChanges = z.output<typeof itemChanges>;

/** Both names mean JSON, which is the only format. */
const formatQuery = {
  ...tenantQuery,
  f: z
    .enum(["json", "geojson", "application/json", "application/geo+json"])
    .optional()
    .describe("Format of the answer: JSON, as without it"),
};
const onlyFormat = z.object(formatQuery);

const time = String.raw`\d{4}-\d\d-\d\d(?:[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d))?`;
const itemsQuery = z.object({
  ...formatQuery,
  bbox: boxText.optional(),
  datetime: z
    .string()
    .max(100)
    .regex(
      new RegExp(String.raw`^(?:${time}|(?:${time}|\.\.)?/(?:${time}|\.\.)?)$`),
      "must be a date or time of RFC 3339, or two of them with a slash between",
    )
    .optional()
    .describe("Features whose property `datetime` is in this time, and those without one"),
  // The standard takes a limit above the maximum for the maximum.
  limit: wholeNumber(1, 2 ** 31 - 1)
    .optional()
    .describe("Features of a page, 10 by default and 1,000 at most"),
  cursor: z.string().max(4096).optional().describe("Start of a page, from the link `next`"),
});
export type OgcItemsQuery = z.output<typeof itemsQuery>;

const reads = {
  ...members("tenant-viewer", "header", "spec 4.6, OGC API Features 1.0.1"),
  queryFaults: 400,
} as const;
const writes = members("tenant-staff", "header", "spec 4.6, OGC API Features part 4");
const geojsonType = "application/geo+json";
const shownItem = item.extend({ links });
const base = "/v4/geo";

/**
 * The datasets of a workspace as OGC API Features: part 1 (core and GeoJSON) and part 4 (create,
 * replace, update and delete, with versions as entity tags). Its links name the
 * workspace by `tenant_id`, so that programs such as QGIS and ogr2ogr follow them with a token.
 */
export const geoCollectionRoutes = {
  landing: route.get(base, {
    summary: "The landing page of OGC API Features for a workspace",
    ...reads,
    query: onlyFormat,
    reply: replies(landing),
  }),
  conformance: route.get(`${base}/conformance`, {
    summary: "The classes of OGC API Features to which this interface conforms",
    ...reads,
    query: onlyFormat,
    reply: replies(conformance),
  }),
  list: route.get(`${base}/collections`, {
    summary: "The datasets of a workspace as collections",
    ...reads,
    query: onlyFormat,
    reply: replies(z.looseObject({ collections: z.array(collection), links, ...feedPlace })),
  }),
  get: route.get(`${base}/collections/{dataset}`, {
    summary: "A dataset as a collection",
    ...reads,
    params: datasetParams,
    query: onlyFormat,
    reply: replies(collection),
  }),
  /**
   * The properties have the types that the features of the dataset have or had. Those with values
   * of several kinds are left out, and all of a dataset whose types are not known.
   */
  schema: route.get(`${base}/collections/{dataset}/schema`, {
    summary: "The JSON Schema of the items of a collection",
    ...reads,
    params: datasetParams,
    query: onlyFormat,
    reply: repliesSchema(jsonObject),
  }),
  items: route.get(`${base}/collections/{dataset}/items`, {
    summary: "The features of a collection by box and time, as GeoJSON",
    ...reads,
    params: datasetParams,
    query: itemsQuery,
    reply: repliesGeojson(items),
  }),
  item: route.get(`${base}/collections/{dataset}/items/{feature}`, {
    summary: "A feature of a collection, as GeoJSON",
    ...reads,
    params: featureParams,
    query: onlyFormat,
    reply: repliesGeojson(shownItem),
  }),
  createItem: route.post(`${base}/collections/{dataset}/items`, {
    summary: "Create a feature of a collection",
    ...writes,
    params: datasetParams,
    query: onlyTenant,
    body: jsonAlsoAs(newItem, [geojsonType]),
    reply: repliesGeojson(shownItem, 201),
    idempotent: true,
  }),
  replaceItem: route.put(`${base}/collections/{dataset}/items/{feature}`, {
    summary: "Replace the geometry and the properties of a feature",
    ...writes,
    params: featureParams,
    query: onlyTenant,
    body: jsonAlsoAs(newItem, [geojsonType]),
    reply: repliesGeojson(shownItem),
    guarded: true,
  }),
  updateItem: route.patch(`${base}/collections/{dataset}/items/{feature}`, {
    summary: "Change a feature by a JSON Merge Patch (RFC 7396)",
    ...writes,
    params: featureParams,
    query: onlyTenant,
    body: jsonAlsoAs(itemChanges, ["application/merge-patch+json"]),
    reply: repliesGeojson(shownItem),
    guarded: true,
  }),
  removeItem: route.delete(`${base}/collections/{dataset}/items/{feature}`, {
    summary: "Delete a feature of a collection",
    ...writes,
    params: featureParams,
    query: onlyTenant,
    reply: repliesEmpty,
    guarded: true,
  }),
};
