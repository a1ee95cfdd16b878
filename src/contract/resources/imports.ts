import * as z from "zod";
import { json, members, replies, repliesInParts, repliesOrCreates, route } from "../route.ts";
import { jsonObject, objectTypeSlug, storedId, timestamp, uuid } from "../values.ts";
import { batchAnswer } from "./batch.ts";

/** The most rows of one request. */
const maximumImportRows = 1_000;
/** The most refused rows of an import; the next one ends it. */
export const maximumRefusedRows = 10_000;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, "must be a SHA-256 digest in hexadecimal");
/** The number of a row as a spreadsheet counts, from 1. */
const rowNumber = z.int().min(1).max(2_147_483_647);

const start = z
  .strictObject({
    digest: sha256.describe("Digest of the file and of its mapping"),
    filename: z.string().min(1).max(255),
  })
  .meta({ id: "ImportStart" });

const recordImport = z
  .looseObject({
    id: storedId,
    type: z.string(),
    digest: z.string(),
    filename: z.string(),
    /** `done` after its last row. */
    status: z.enum(["open", "done"]),
    /** The last row that was written or refused; 0 before the first one. */
    row: z.int(),
    /** Rows that were refused, in ascending order; each may be sent again. */
    refused: z.array(z.int()),
    created: z.int(),
    updated: z.int(),
    created_at: timestamp,
    updated_at: timestamp,
    /** The progress is kept for 30 days after its last change. */
    expires_at: timestamp,
  })
  .meta({ id: "RecordImport" });
/** The progress of an import of records. */
export type RecordImport = z.output<typeof recordImport>;

const importItem = z
  .discriminatedUnion("op", [
    z.strictObject({ op: z.literal("create"), row: rowNumber, data: jsonObject }),
    z.strictObject({
      op: z.literal("upsert"),
      row: rowNumber,
      property: z.string().min(1).max(128),
      value: z.union([z.string().min(1).max(2048), z.number(), z.boolean()]),
      data: jsonObject.describe("The record's data, or the changes of a record (RFC 7396)"),
    }),
  ])
  .meta({ id: "ImportItem" });
/** One row of an import, as the batch's operation of the same name. */
export type ImportItem = z.output<typeof importItem>;

const rows = z
  .strictObject({
    items: z.array(importItem).max(maximumImportRows),
    through: rowNumber.optional().describe("The last row that needs no further request"),
    last: z.boolean().optional().describe("Ends the import"),
  })
  .meta({ id: "ImportRows" });
export type ImportRows = z.output<typeof rows>;

const typeParams = z.object({ tenantId: uuid, objectType: objectTypeSlug });
const importParams = typeParams.extend({ importId: storedId });
const path = "/v4/data/resources/{tenantId}/{objectType}/imports";
const writes = members("tenant-staff", "path", "interface.md");

export const importRoutes = {
  /** The unfinished import of the same caller and digest (200), or a new one (201). */
  start: route.post(path, {
    summary: "Start an import of records, or continue the one of the same file",
    ...writes,
    params: typeParams,
    body: json(start),
    reply: repliesOrCreates(recordImport),
  }),
  get: route.get(`${path}/{importId}`, {
    summary: "The progress of an own import of records",
    ...writes,
    params: importParams,
    reply: replies(recordImport),
  }),
  /**
   * Rows ascend and follow the import's `row`; refused rows may be sent again. The progress is
   * stored with the records, so that no row is written twice: 409 for a row that is written
   * already, and for a request that another one of the same import has overtaken.
   */
  rows: route.post(`${path}/{importId}/rows`, {
    summary: "Write up to 1,000 rows of an import; 207 when some were refused",
    ...writes,
    params: importParams,
    body: json(rows),
    reply: repliesInParts(batchAnswer),
  }),
};
