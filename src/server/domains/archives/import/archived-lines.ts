import { jsonObject, slug } from "#contract/values.ts";
import { ArchiveDamagedError } from "#lib/archive/read-archive.ts";
import * as z from "zod";
import { uuidNumber } from "../../../kit/ordered-uuid.ts";
import type { ArchivedRecord } from "../../records/service.ts";
import { count, digest, headerText, rowId, rowVersion, storedTime } from "./line-shapes.ts";

export const typeLine = z.looseObject({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  status: z.string(),
  version: z.int(),
  created_by: z.string(),
  created_at: z.string(),
  updated_by: z.string(),
  updated_at: z.string(),
  definition: z.looseObject({
    retired: z
      .record(
        z.string(),
        z.strictObject({
          readRoles: z.array(z.string()).optional(),
          writeRoles: z.array(z.string()).optional(),
        }),
      )
      .optional(),
  }),
});

const patchOperation = z.looseObject({
  op: z.enum(["test", "add", "replace", "remove"]),
  path: z.string(),
});

const version = z.looseObject({
  version: rowVersion,
  operation: z.string().min(1).max(255),
  at: storedTime,
  actor: z.string().max(255),
  operation_id: z.string().max(255).nullable(),
  changes: z.array(patchOperation).nullable(),
});

const isAscending = (versions: readonly { readonly version: number }[]): boolean =>
  versions.every((each, at) => at === 0 || (versions[at - 1]?.version ?? 0) < each.version);

/** A record with its history. */
export const recordLine = z
  .looseObject({
    id: rowId.refine((id) => uuidNumber(id) > 0, "must be an id of a record"),
    version: rowVersion,
    created_at: storedTime,
    created_by: z.string().max(255),
    updated_at: storedTime,
    updated_by: z.string().max(255),
    data: jsonObject,
    history: z.array(version).refine(isAscending, "must have ascending versions"),
  })
  .refine((line) => line.history.every((each) => each.version <= line.version), {
    path: ["history"],
    message: "must not be newer than the record",
  });

export const fileLine = z.looseObject({
  resource_id: rowId,
  property: z.string().min(1).max(255),
  type: z.string(),
  filename: z.string().min(1).max(255),
  content_type: headerText,
  size: count,
  sha256: digest,
});

export const roleLine = z.looseObject({
  id: rowId,
  key: slug.max(63),
  display_name: z.string().min(1).max(255),
  description: z.string().nullable(),
  permissions: z.array(z.string()),
  created_by: z.string(),
  created_at: storedTime,
  updated_at: storedTime,
});

export const memberLine = z.looseObject({
  oid: z.string().optional(),
  email: z.string(),
  role: z.string(),
  status: z.string(),
});

export const datasetLine = z.looseObject({
  id: rowId,
  slug: slug.max(63),
  title: z.string().max(1_000),
  description: z.string(),
  source: z.string(),
  licence: z.string(),
  attribution: z.string(),
  name_properties: z.array(z.string().min(1).max(200)).max(8).optional(),
});

export const featureLine = z.looseObject({
  id: z.string().min(1).max(255),
  version: rowVersion,
  created_at: storedTime,
  updated_at: storedTime,
  geometry: z.unknown(),
  properties: jsonObject,
});

export function recordOf({ history, ...record }: z.output<typeof recordLine>): ArchivedRecord {
  const { id, version: last, created_at, created_by, updated_at, updated_by, data } = record;
  const versions = history.map(({ changes, version: of, operation, at, actor, operation_id }) => ({
    resource_id: id,
    version: of,
    operation,
    at,
    actor,
    operation_id,
    changes: changes === null ? null : JSON.stringify(changes),
  }));
  const columns = { id, version: last, created_at, created_by, updated_at, updated_by };
  return { ...columns, data, history: versions };
}

/** The values of a line; throws `ArchiveDamagedError` where they have another form. */
export function parsed<Schema extends z.ZodType>(schema: Schema, line: unknown): z.output<Schema> {
  const { success, data, error } = schema.safeParse(line);
  if (success) return data;
  throw new ArchiveDamagedError(`a line is not valid: ${z.prettifyError(error)}`);
}
