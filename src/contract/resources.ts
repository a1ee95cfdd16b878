import * as z from "zod";
import { listBody, listQuery } from "./lists.ts";
import { json, replies, repliesEmpty, route } from "./route.ts";
import { jsonObject, objectTypeSlug, timestamp, uuid } from "./values.ts";

/** The default order of a list (spec 2.3). */
export const defaultSort = "-created_at";

/**
 * System fields that stand beside the user's own in `sort` and `where`. They come first: a property
 * of the same name is reached as `data.version`.
 */
export const systemFields = [
  "id",
  "version",
  "created_at",
  "updated_at",
  "created_by",
  "updated_by",
] as const;

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
export type Resource = z.output<typeof resource>;

/**
 * Update body: the whole new data, and the version it was made from (spec 2.3). What is left out is
 * removed, except files, which only their own routes change. Defaults fill in on creation only.
 */
export const resourceUpdate = z
  .strictObject({ data: jsonObject, version: z.int().min(1) })
  .meta({ id: "ResourceUpdate" });

const typeParams = z.object({ tenantId: uuid, objectType: objectTypeSlug });
const recordParams = typeParams.extend({ id: uuid });

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
    summary: "One record",
    source: "spec 4.2",
    access: "tenant-viewer",
    workspace: "path",
    params: recordParams,
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
  }),
  delete: route({
    method: "DELETE",
    path: "/v4/data/resources/{tenantId}/{objectType}/{id}",
    summary: "Delete a record",
    source: "spec 4.2",
    access: "tenant-staff",
    workspace: "path",
    params: recordParams,
    reply: repliesEmpty,
  }),
};
