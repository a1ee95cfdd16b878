import * as z from "zod";
import { listBody, listQuery } from "./lists.ts";
import { actionCall } from "./resources/actions.ts";
import { aggregateAnswer, aggregation } from "./resources/aggregate.ts";
import { batchAnswer, batchCreation, batchDeletion, batchUpdate } from "./resources/batch.ts";
import { fileLink, fileReadQuery, fileUploadQuery, uploadedFile } from "./resources/files.ts";
import { resourceQuery } from "./resources/query.ts";
import { historyItem } from "./resources/history.ts";
import { resourceSearch, searchAnswer } from "./resources/search.ts";
import {
  bytes,
  json,
  optionalJson,
  replies,
  repliesBytes,
  repliesEmpty,
  repliesInParts,
  route,
} from "./route.ts";
import {
  jsonObject,
  objectTypeSlug,
  tenantParams,
  timestamp,
  uuid,
  wholeNumber,
} from "./values.ts";

/** The default order of a list (spec 2.3). */
export const defaultSort = "-created_at";

/** A typed record (spec 2.3). `version` counts from 1 and guards updates. */
export const resource = z
  .looseObject({
    id: z.string(),
    type: z.string().optional(),
    version: z.int(),
    data: jsonObject,
    created_at: timestamp.optional(),
    updated_at: timestamp.optional(),
    created_by: z.string().nullable().optional(),
    updated_by: z.string().nullable().optional(),
  })
  .meta({ id: "Resource" });
/** A record; `version` counts from 1 and guards updates, times are RFC 3339 (spec 2.3). */
export type Resource = z.output<typeof resource>;

/**
 * Update body: the whole new data, and the version it was made from (spec 2.3). What is left out is
 * removed, except files, which only their own routes change. Defaults fill in on creation only.
 */
const resourceUpdate = z
  .strictObject({ data: jsonObject, version: z.int().min(1) })
  .meta({ id: "ResourceUpdate" });

const typeParams = z.object({ tenantId: uuid, objectType: objectTypeSlug });
const recordParams = typeParams.extend({ id: uuid });
const fileParams = recordParams.extend({ propertyName: z.string().min(1).max(128) });
const versionQuery = z.object({
  version: wholeNumber(1, 2_147_483_647)
    .optional()
    .describe("The record as it stood in this version, also when it is deleted by now"),
});

export const resourceRoutes = {
  list: route({
    method: "GET",
    path: "/v4/data/resources/{tenantId}/{objectType}",
    summary: "List records",
    source: "spec 4.2",
    access: "tenant-viewer",
    workspace: "path",
    params: typeParams,
    query: listQuery,
    reply: replies(listBody(resource)),
  }),
  get: route({
    method: "GET",
    path: "/v4/data/resources/{tenantId}/{objectType}/{id}",
    summary: "One record, as it is or as it stood in a version",
    source: "spec 4.2",
    access: "tenant-viewer",
    workspace: "path",
    params: recordParams,
    query: versionQuery,
    reply: replies(resource),
  }),
  /** The body is the data itself; `{ data }` alone is unwrapped when no property has that name. */
  create: route({
    method: "POST",
    path: "/v4/data/resources/{tenantId}/{objectType}",
    summary: "Create a record",
    source: "spec 4.2",
    access: "tenant-staff",
    workspace: "path",
    params: typeParams,
    body: json(jsonObject),
    reply: replies(resource, 201),
    idempotent: true,
  }),
  update: route({
    method: "PUT",
    path: "/v4/data/resources/{tenantId}/{objectType}/{id}",
    summary: "Replace a record's data, guarded by its version",
    source: "spec 4.2, 2.3",
    access: "tenant-staff",
    workspace: "path",
    params: recordParams,
    body: json(resourceUpdate),
    reply: replies(resource),
    guarded: true,
  }),
  /** References of other records to it stay as they are (see `PropertyDefinition`). */
  delete: route({
    method: "DELETE",
    path: "/v4/data/resources/{tenantId}/{objectType}/{id}",
    summary: "Delete a record",
    source: "spec 4.2",
    access: "tenant-staff",
    workspace: "path",
    params: recordParams,
    reply: repliesEmpty,
    guarded: true,
  }),
  /** Newest first. A deleted record's history stays. */
  history: route({
    method: "GET",
    path: "/v4/data/resources/{tenantId}/{objectType}/{id}/history",
    summary: "What was written to a record, newest first",
    source: "spec 4.2",
    access: "tenant-viewer",
    workspace: "path",
    params: recordParams,
    query: listQuery.pick({ page: true, limit: true, cursor: true, count: true }),
    reply: replies(listBody(historyItem)),
  }),
  batchCreate: route({
    method: "POST",
    path: "/v4/data/resources/{tenantId}/{objectType}/batch/create",
    summary: "Create up to 1,000 records; 207 when not all of them could be",
    source: "spec 4.2, 2.3",
    access: "tenant-staff",
    workspace: "path",
    params: typeParams,
    body: json(batchCreation),
    reply: repliesInParts(batchAnswer),
    idempotent: true,
    many: true,
  }),
  batchUpdate: route({
    method: "POST",
    path: "/v4/data/resources/{tenantId}/{objectType}/batch/update",
    summary: "Replace the data of up to 1,000 records; 207 when not all of them could be",
    source: "spec 4.2, 2.3",
    access: "tenant-staff",
    workspace: "path",
    params: typeParams,
    body: json(batchUpdate),
    reply: repliesInParts(batchAnswer),
  }),
  batchDelete: route({
    method: "POST",
    path: "/v4/data/resources/{tenantId}/{objectType}/batch/delete",
    summary: "Delete up to 1,000 records; 207 when not all of them could be",
    source: "spec 4.2",
    access: "tenant-staff",
    workspace: "path",
    params: typeParams,
    body: json(batchDeletion),
    reply: repliesInParts(batchAnswer),
  }),
  query: route({
    method: "POST",
    path: "/v4/data/resources/{tenantId}/query",
    summary: "Records of several Object Types in one order",
    source: "spec 4.2",
    access: "tenant-viewer",
    workspace: "path",
    params: tenantParams,
    body: json(resourceQuery),
    asks: true,
    reply: replies(listBody(resource)),
  }),
  search: route({
    method: "POST",
    path: "/v4/data/resources/{tenantId}/search",
    summary: "Records that a text finds, best first",
    source: "spec 4.2",
    access: "tenant-viewer",
    workspace: "path",
    params: tenantParams,
    body: json(resourceSearch),
    asks: true,
    reply: replies(searchAnswer),
  }),
  aggregate: route({
    method: "POST",
    path: "/v4/data/resources/{tenantId}/{objectType}/aggregate",
    summary: "Figures of records in groups",
    source: "spec 4.2",
    access: "tenant-viewer",
    workspace: "path",
    params: typeParams,
    body: json(aggregation),
    asks: true,
    reply: replies(aggregateAnswer),
  }),
  /** The action's own `requires` says which role it needs; without one it is tenant-staff. */
  executeAction: route({
    method: "POST",
    path: "/v4/data/resources/{tenantId}/{objectType}/{id}/actions/{action}",
    summary: "Execute an action of the record's Object Type",
    source: "spec 4.2",
    access: "tenant-viewer",
    workspace: "path",
    params: recordParams.extend({ action: z.string().min(1).max(128) }),
    body: optionalJson(actionCall),
    reply: replies(resource),
    idempotent: true,
    guarded: true,
  }),
  /** A property has one file: another upload replaces it. `If-Match` names the record's version. */
  uploadFile: route({
    method: "POST",
    path: "/v4/data/resources/{tenantId}/{objectType}/{id}/files/{propertyName}",
    summary: "Put a file on a record's property, in place of the one before",
    source: "spec 4.2, 2.4",
    access: "tenant-staff",
    workspace: "path",
    params: fileParams,
    query: fileUploadQuery,
    body: bytes,
    reply: replies(uploadedFile, 201),
    idempotent: true,
    guarded: true,
  }),
  downloadFile: route({
    method: "GET",
    path: "/v4/data/resources/{tenantId}/{objectType}/{id}/files/{propertyName}",
    summary: "The file of a record's property, or a signed URL for it",
    source: "spec 4.2, 2.4",
    access: "tenant-viewer",
    workspace: "path",
    params: fileParams,
    query: fileReadQuery,
    reply: repliesBytes,
    alternative: fileLink,
  }),
  deleteFile: route({
    method: "DELETE",
    path: "/v4/data/resources/{tenantId}/{objectType}/{id}/files/{propertyName}",
    summary: "Delete the file of a record's property",
    source: "spec 4.2, 2.4",
    access: "tenant-staff",
    workspace: "path",
    params: fileParams,
    reply: repliesEmpty,
    guarded: true,
  }),
  /** Where `access=url` leads: the token says which file, which bytes and until when. */
  signedFile: route({
    method: "GET",
    path: "/v4/data/files/{token}",
    summary: "The file that a signed URL names",
    source: "spec 4.2",
    access: "public",
    workspace: "none",
    params: z.object({ token: z.string().min(1).max(2048) }),
    reply: repliesBytes,
  }),
};
