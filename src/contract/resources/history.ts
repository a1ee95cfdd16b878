import * as z from "zod";
import { timestamp } from "../values.ts";

/** One operation of a JSON Patch (RFC 6902). */
const patchOperation = z
  .looseObject({ op: z.string(), path: z.string(), value: z.unknown().optional() })
  .meta({ id: "PatchOperation" });

/**
 * One write of a record (interface: history item). `changes` is a JSON Patch on the record's data:
 * applied to the version before, it gives this version. Before each `replace` and `remove` a `test`
 * says what was there, so that it can be read backwards as well. The first version's patch makes
 * the whole data (`add` at the root); a deletion takes it away (`remove` at the root).
 */
export const historyItem = z
  .looseObject({
    /** The record's version after the write. */
    version: z.int(),
    /** `create`, `update`, `delete`, or the name of the action that was executed. */
    operation: z.string(),
    at: timestamp,
    actor: z.string().nullable().optional(),
    changes: z.array(patchOperation),
  })
  .meta({ id: "HistoryItem" });
/** One write of a record: `changes` is a JSON Patch (RFC 6902) that makes this version of the one before. */
export type HistoryItem = z.output<typeof historyItem>;
