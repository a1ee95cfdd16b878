import * as z from "zod";
import { alsoNamed, answeredAs, named } from "../deployments.ts";
import { feedPlace, fixedListQuery, listBody } from "../lists.ts";
import {
  onDelete,
  otherTarget,
  propertyDefinition,
  propertyName,
  rights,
  runTimeTarget,
} from "./properties.ts";
import { rule } from "../plain/rule.ts";
import { members, json, replies, route } from "../route.ts";
import {
  jsonObject,
  objectTypeSlug,
  reservedSlugs,
  role,
  slug,
  storedId,
  tenantParams,
  timestamp,
  uuid,
} from "../values.ts";

/**
 * A link to other records; `targetObjectType` is the exact stored slug, also a historical one that
 * is not in kebab-case (spec 2.2). A record's data
 * has one id under `name`, or with `many` a list of ids.
 */
export const linkType = z
  .strictObject({
    name: propertyName,
    displayName: z.string().max(200).optional(),
    targetObjectType: objectTypeSlug,
    target_type: runTimeTarget,
    cardinality: z.enum(["one", "many"]).default("many"),
    ...rights,
    onDelete: onDelete.optional(),
  })
  .refine(rule("same if given", "target_type", "targetObjectType"), {
    path: ["target_type"],
    error: otherTarget,
  })
  .meta({ id: "LinkType" });
export type LinkType = z.output<typeof linkType>;

/** A named change of a record: required role, parameters, state transition, values to set. */
const actionDefinition = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z0-9]+(?:[-_][a-z0-9]+)*$/i)
      .max(128),
    displayName: z.string().max(200).optional(),
    parameters: z.record(propertyName, propertyDefinition).optional(),
    requires: role.optional(),
    transition: z
      .strictObject({ property: propertyName, from: z.array(z.string()), to: z.string() })
      .optional(),
    set: jsonObject.optional(),
  })
  .meta({ id: "ActionDefinition" });
export type ActionDefinition = z.output<typeof actionDefinition>;

const definitionFields = {
  /** The name in source code; not interchangeable with the slug (spec 2.2). */
  name: z
    .string()
    .max(128)
    .regex(/^[A-Z][A-Za-z0-9]*$/, "must be in PascalCase"),
  displayName: z.string().max(200).optional(),
  description: z.string().max(2000).optional(),
  properties: z.record(propertyName, propertyDefinition),
  linkTypes: z.array(linkType).max(100).default([]),
  actions: z.array(actionDefinition).max(100).default([]),
  /**
   * The roles that read and write the type's records; all with their routes by default. For others
   * the type has no records and does not exist.
   */
  ...rights,
};

export const objectTypeCreation = z
  .strictObject({
    ...definitionFields,
    slug: slug.refine(rule("none of", ...reservedSlugs), {
      error: "is reserved for a route segment",
    }),
  })
  .meta({ id: "ObjectTypeCreation" });
export type ObjectTypeCreation = z.output<typeof objectTypeCreation>;
/** A definition as a client writes it: links and actions are optional. */
export type ObjectTypeDraft = Omit<ObjectTypeCreation, "linkTypes" | "actions"> &
  Partial<Pick<ObjectTypeCreation, "linkTypes" | "actions">>;

/** The slug can't be changed (spec 2.2). */
export const objectTypeUpdate = z
  .strictObject({
    name: definitionFields.name.optional(),
    displayName: z.string().max(200).nullish().describe("null removes it"),
    description: z.string().max(2000).nullish().describe("null removes it"),
    properties: definitionFields.properties.optional(),
    linkTypes: z.array(linkType).max(100).optional(),
    actions: z.array(actionDefinition).max(100).optional(),
    readRoles: rights.readRoles.nullish().describe("null removes it"),
    writeRoles: rights.writeRoles.nullish().describe("null removes it"),
    version: z.int().min(1).optional().describe("The version that the change was made from"),
  })
  .meta({ id: "ObjectTypeUpdate" });
export type ObjectTypeUpdate = z.output<typeof objectTypeUpdate>;

/** Object Types to create, and to change, in one batch. */
const maximumBatchTypes = 1_000;

/**
 * Object Types to create and to change, all or none. They may refer to each other; a fault has a
 * pointer, e.g. `#/create/1/slug`. This route is an addition: a platform that has it sends
 * `atomicBatch: true` in the list of Object Types.
 */
const objectTypeBatch = z
  .strictObject({
    create: z.array(objectTypeCreation).max(maximumBatchTypes).default([]),
    update: z
      .array(z.strictObject({ id: storedId, ...objectTypeUpdate.shape }))
      .max(maximumBatchTypes)
      .default([]),
  })
  .meta({ id: "ObjectTypeBatch" });
export type ObjectTypeBatch = z.output<typeof objectTypeBatch>;

/** A property as any deployment sends it. */
const anyProperty = z.looseObject({ type: z.string() });

/** `tenant_id` may be missing on legacy records (spec 4.7 rule 4). */
export const objectType = z
  .looseObject({
    id: alsoNamed(z.string(), "objectTypeId"),
    name: alsoNamed(z.string(), "modelName"),
    slug: named(z.string()),
    displayName: z.string().optional(),
    description: z.string().optional(),
    tenant_id: z.string().optional(),
    properties: z.record(z.string(), answeredAs(propertyDefinition.or(anyProperty), anyProperty)),
    linkTypes: z
      .array(
        z.looseObject({
          targetObjectType: z.string(),
          name: z.string(),
          target_type: z.string().optional().describe("The exact stored slug of the target"),
        }),
      )
      .optional(),
    actions: z.array(z.looseObject({ name: z.string() })).optional(),
    readRoles: z.array(z.string()).optional(),
    writeRoles: z.array(z.string()).optional(),
    partial: z
      .boolean()
      .optional()
      .describe("Whether fields are left out that the caller may not read"),
    version: z.int().optional(),
    status: z.string().optional(),
    /** Sent by the schema route only. */
    recordCount: z.int().optional(),
    created_at: timestamp.optional(),
    updated_at: timestamp.optional(),
  })
  .meta({ id: "ObjectType" });
/** A stored Object Type; `slug` is its exact name in paths and links (spec 2.2). */
export type ObjectType = z.output<typeof objectType>;

export const objectTypeRoutes = {
  list: route.get("/v4/data/resources/object-types", {
    summary: "List Object Types in ID order",
    ...members("tenant-viewer", "header", "spec 4.3"),
    query: fixedListQuery,
    reply: replies(
      listBody(objectType).extend({
        atomicBatch: z.boolean().optional().describe("Whether the platform has the batch route"),
      }),
    ),
  }),
  /** 409 beyond 1,000 Object Types, or 32 MiB of definitions, in one workspace. */
  create: route.post("/v4/data/resources/object-types", {
    summary: "Create an Object Type",
    ...members("tenant-builder", "header", "spec 4.3"),
    body: json(objectTypeCreation),
    reply: replies(objectType, 201),
    idempotent: true,
  }),
  update: route.patch("/v4/data/resources/object-types/{objectTypeId}", {
    summary: "Change an Object Type",
    ...members("tenant-builder", "header", "spec 4.3"),
    params: z.object({ objectTypeId: storedId }),
    body: json(objectTypeUpdate),
    reply: replies(objectType),
    guarded: true,
  }),
  batch: route.post("/v4/data/resources/object-types/batch", {
    summary: "Create and change Object Types, all or none",
    ...members("tenant-builder", "header", "batch conventions"),
    body: json(objectTypeBatch),
    reply: replies(z.looseObject({ created: z.array(objectType), updated: z.array(objectType) })),
    idempotent: true,
  }),
  /** The types at run time: each link and reference names its target as `target_type` too. */
  schema: route.get("/v4/data/resources/schema/{tenantId}", {
    summary: "Published Object Types of a workspace, with their record counts",
    ...members("tenant-viewer", "path", "spec 4.3"),
    params: tenantParams,
    reply: replies(
      z.looseObject({
        tenantId: uuid.optional(),
        objectTypes: named(z.array(objectType)),
        ...feedPlace,
      }),
    ),
  }),
};
