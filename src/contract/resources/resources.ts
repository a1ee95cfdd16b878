import * as z from "zod";
import { fixedListQuery, listBody } from "../lists.ts";
import { actionCall } from "./actions.ts";
import { aggregateAnswer, aggregation } from "./reads/aggregate.ts";
import {
  batchAnswer,
  batchCreation,
  batchDeletion,
  batchOperations,
  batchUpdate,
} from "./batch.ts";
import { distinctAnswer, distinctRequest } from "./reads/distinct.ts";
import { fileLink, fileReadQuery, fileUploadQuery, uploadedFile } from "./files.ts";
import { resource } from "./record.ts";
import { resourceQuery } from "./reads/query.ts";
import { deletionPreview, permanent } from "./deletions.ts";
import { historyItem } from "./reads/history.ts";
import { deletedRecord, restoration, restored } from "./restore.ts";
import { resourceSearch, searchAnswer } from "./reads/search.ts";
import { resourceListQuery, selection } from "./reads/selection.ts";
import {
  members,
  bytes,
  json,
  optionalJson,
  replies,
  repliesBytes,
  repliesEmpty,
  repliesInParts,
  repliesOrCreates,
  route,
  outside,
} from "../route.ts";
import {
  jsonObject,
  objectTypeSlug,
  storedId,
  tenantParams,
  uuid,
  wholeNumber,
} from "../values.ts";

export { resource, type Resource } from "./record.ts";

/** The default order of a list (spec 2.3). */
export const defaultSort = "-created_at";

/**
 * The whole new data, and the version it is based on (spec 2.3). Missing properties are removed,
 * except files, which only the file routes change; defaults apply on creation only.
 */
const resourceUpdate = z
  .strictObject({ data: jsonObject, version: z.int().min(1) })
  .meta({ id: "ResourceUpdate" });

/**
 * The properties to change: a JSON Merge Patch of the data (RFC 7396), in which `null` removes a
 * property. Without `version` and `If-Match` it applies to the current version, whichever it is.
 */
const resourcePatch = z
  .strictObject({ data: jsonObject, version: z.int().min(1).optional() })
  .meta({ id: "ResourcePatch" });

/**
 * The data of a record that is named by the value of a unique property. It is merged into a stored
 * record (RFC 7396), or replaces its data with `replace`.
 */
const resourceUpsert = z
  .strictObject({ data: jsonObject, replace: z.boolean().optional() })
  .meta({ id: "ResourceUpsert" });

const typeParams = z.object({ tenantId: uuid, objectType: objectTypeSlug });
const recordParams = typeParams.extend({ id: storedId });
const fileParams = recordParams.extend({ propertyName: z.string().min(1).max(128) });
const recordQuery = z.object({
  ...selection,
  version: wholeNumber(1, 2_147_483_647)
    .optional()
    .describe("The record in this version, even when it is already deleted"),
});

export const resourceRoutes = {
  list: route.get("/v4/data/resources/{tenantId}/{objectType}", {
    summary: "List records",
    ...members("tenant-viewer", "path", "spec 4.2"),
    params: typeParams,
    query: resourceListQuery,
    reply: replies(listBody(resource)),
  }),
  get: route.get("/v4/data/resources/{tenantId}/{objectType}/{id}", {
    summary: "One record, in its current or an earlier version",
    ...members("tenant-viewer", "path", "spec 4.2"),
    params: recordParams,
    query: recordQuery,
    reply: replies(resource),
  }),
  /** The body is the data; a body `{ data }` is unwrapped unless a property has that name. */
  create: route.post("/v4/data/resources/{tenantId}/{objectType}", {
    summary: "Create a record",
    ...members("tenant-staff", "path", "spec 4.2"),
    params: typeParams,
    body: json(jsonObject),
    reply: replies(resource, 201),
    idempotent: true,
  }),
  update: route.put("/v4/data/resources/{tenantId}/{objectType}/{id}", {
    summary: "Replace a record's data, guarded by its version",
    ...members("tenant-staff", "path", "spec 4.2, 2.3"),
    params: recordParams,
    body: json(resourceUpdate),
    reply: replies(resource),
    guarded: true,
  }),
  patch: route.patch("/v4/data/resources/{tenantId}/{objectType}/{id}", {
    summary: "Change some properties of a record, guarded by its version where one is given",
    ...members("tenant-staff", "path", "interface.md, RFC 7396"),
    params: recordParams,
    body: json(resourcePatch),
    reply: replies(resource),
    guarded: true,
  }),
  /** The property must be unique; `{value}` is its text, e.g. `42` or `true`. */
  upsert: route.put("/v4/data/resources/{tenantId}/{objectType}/by/{property}/{value}", {
    summary: "Create a record, or change the one with this value of a unique property",
    ...members("tenant-staff", "path", "interface.md, RFC 7396"),
    params: typeParams.extend({
      property: z.string().min(1).max(128),
      value: z.string().min(1).max(2048),
    }),
    body: json(resourceUpsert),
    reply: repliesOrCreates(resource),
  }),
  /**
   * The `onDelete` of references from other records decides: 409 `still-referenced` counts them all
   * and names ten; or they are cleared; or their records are deleted too, at most 1,000, as one
   * operation. `permanent=true` needs a tenant-admin, and also takes a record that is deleted.
   */
  delete: route.delete("/v4/data/resources/{tenantId}/{objectType}/{id}", {
    summary: "Delete a record, or erase it for good",
    ...members("tenant-staff", "path", "spec 4.2"),
    params: recordParams,
    query: z.object({ permanent }),
    reply: repliesEmpty,
    guarded: true,
  }),
  deletion: route.get("/v4/data/resources/{tenantId}/{objectType}/{id}/deletion", {
    summary: "The records that a deletion would delete and change, or that forbid it",
    ...members("tenant-viewer", "path", "interface.md"),
    params: recordParams,
    reply: replies(deletionPreview),
  }),
  /** Deleted records are kept for `--trash-days`, with their files. */
  deleted: route.get("/v4/data/resources/{tenantId}/{objectType}/deleted", {
    summary: "Deleted records that can be restored, newest first",
    ...members("tenant-viewer", "path", "interface.md"),
    params: typeParams,
    query: fixedListQuery,
    reply: replies(listBody(deletedRecord)),
  }),
  /**
   * 409 `not-restorable` lists what prevents it: a unique value that another record has, a
   * reference to a record that does not exist, a file that is no longer kept.
   */
  restore: route.post("/v4/data/resources/{tenantId}/{objectType}/{id}/restore", {
    summary: "Bring back an earlier state of a record, or a deleted record",
    ...members("tenant-staff", "path", "interface.md"),
    params: recordParams,
    body: optionalJson(restoration),
    reply: replies(resource.extend({ restored: restored.optional() })),
    idempotent: true,
    guarded: true,
  }),
  /** A deleted record still has its history. */
  history: route.get("/v4/data/resources/{tenantId}/{objectType}/{id}/history", {
    summary: "The writes of a record, newest first",
    ...members("tenant-viewer", "path", "spec 4.2"),
    params: recordParams,
    query: fixedListQuery,
    reply: replies(listBody(historyItem)),
  }),
  /** Writes of several kinds; each item has its outcome, as for a separate request. */
  batch: route.post("/v4/data/resources/{tenantId}/{objectType}/batch", {
    summary: "Create, change and delete up to 1,000 records; 207 when some items failed",
    ...members("tenant-staff", "path", "interface.md"),
    params: typeParams,
    body: json(batchOperations),
    reply: repliesInParts(batchAnswer),
    idempotent: true,
    many: true,
  }),
  batchCreate: route.post("/v4/data/resources/{tenantId}/{objectType}/batch/create", {
    summary: "Create up to 1,000 records; 207 when some items failed",
    ...members("tenant-staff", "path", "spec 4.2, 2.3"),
    params: typeParams,
    body: json(batchCreation),
    reply: repliesInParts(batchAnswer),
    idempotent: true,
    many: true,
  }),
  batchUpdate: route.post("/v4/data/resources/{tenantId}/{objectType}/batch/update", {
    summary: "Replace the data of up to 1,000 records; 207 when some items failed",
    ...members("tenant-staff", "path", "spec 4.2, 2.3"),
    params: typeParams,
    body: json(batchUpdate),
    reply: repliesInParts(batchAnswer),
  }),
  batchDelete: route.post("/v4/data/resources/{tenantId}/{objectType}/batch/delete", {
    summary: "Delete up to 1,000 records; 207 when some items failed",
    ...members("tenant-staff", "path", "spec 4.2"),
    params: typeParams,
    body: json(batchDeletion),
    reply: repliesInParts(batchAnswer),
  }),
  query: route.post("/v4/data/resources/{tenantId}/query", {
    summary: "Records of several Object Types in one order",
    ...members("tenant-viewer", "path", "spec 4.2"),
    params: tenantParams,
    body: json(resourceQuery),
    asks: true,
    reply: replies(listBody(resource)),
  }),
  search: route.post("/v4/data/resources/{tenantId}/search", {
    summary: "Search records by text, best results first",
    ...members("tenant-viewer", "path", "spec 4.2"),
    params: tenantParams,
    body: json(resourceSearch),
    asks: true,
    reply: replies(searchAnswer),
  }),
  aggregate: route.post("/v4/data/resources/{tenantId}/{objectType}/aggregate", {
    summary: "Aggregate records in groups",
    ...members("tenant-viewer", "path", "spec 4.2"),
    params: typeParams,
    body: json(aggregation),
    asks: true,
    reply: replies(aggregateAnswer),
  }),
  distinct: route.post("/v4/data/resources/{tenantId}/{objectType}/distinct", {
    summary: "The values of a property, with the number of records that have each",
    ...members("tenant-viewer", "path", "interface.md"),
    params: typeParams,
    body: json(distinctRequest),
    asks: true,
    reply: replies(distinctAnswer),
  }),
  /** The action's `requires` names the role that it needs; default tenant-staff. */
  executeAction: route.post("/v4/data/resources/{tenantId}/{objectType}/{id}/actions/{action}", {
    summary: "Execute an action of the record's Object Type",
    ...members("tenant-viewer", "path", "spec 4.2"),
    params: recordParams.extend({ action: z.string().min(1).max(128) }),
    body: optionalJson(actionCall),
    reply: replies(resource),
    idempotent: true,
    guarded: true,
  }),
  /**
   * Replaces the property's file; `If-Match` is the record's version. The header
   * `X-File-Content-Type` names the media type of the file, and the body's own is always
   * `application/octet-stream` (spec 2.4).
   */
  uploadFile: route.post("/v4/data/resources/{tenantId}/{objectType}/{id}/files/{propertyName}", {
    summary: "Upload the file of a record's property, replacing the one before",
    ...members("tenant-staff", "path", "spec 4.2, 2.4"),
    params: fileParams,
    query: fileUploadQuery,
    body: bytes,
    reply: replies(uploadedFile, 201),
    idempotent: true,
    guarded: true,
  }),
  downloadFile: route.get("/v4/data/resources/{tenantId}/{objectType}/{id}/files/{propertyName}", {
    summary: "The file of a record's property, or a signed URL for it",
    ...members("tenant-viewer", "path", "spec 4.2, 2.4"),
    params: fileParams,
    query: fileReadQuery,
    reply: repliesBytes,
    alternative: fileLink,
  }),
  deleteFile: route.delete("/v4/data/resources/{tenantId}/{objectType}/{id}/files/{propertyName}", {
    summary: "Delete the file of a record's property",
    ...members("tenant-staff", "path", "spec 4.2, 2.4"),
    params: fileParams,
    reply: repliesEmpty,
    guarded: true,
  }),
  /** The target of `access=url`: the token names the file, its bytes and the expiry. */
  signedFile: route.get("/v4/data/files/{token}", {
    summary: "The file of a signed URL",
    ...outside("public", "spec 4.2"),
    params: z.object({ token: z.string().min(1).max(2048) }),
    reply: repliesBytes,
  }),
};
