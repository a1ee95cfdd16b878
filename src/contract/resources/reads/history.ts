import * as z from "zod";
import { alsoNamed, otherwise } from "../../deployments.ts";
import { timestamp } from "../../values.ts";

const patchOperation = z
  .looseObject({ op: z.string(), path: z.string(), value: z.unknown().optional() })
  .meta({ id: "PatchOperation" });

/**
 * Each `replace` and `remove` follows a `test` with the former value, so that the patch can also be
 * applied backwards. Creation is an `add` of the whole data, deletion a `remove` at the root.
 */
export const historyItem = z
  .looseObject({
    /** The record's version after the write. */
    version: otherwise(z.int(), { value: 0 }),
    /** `create`, `update`, `delete`, `restore`, or the name of the action that was executed. */
    operation: alsoNamed(z.string(), "action"),
    at: alsoNamed(timestamp, "timestamp", "created_at"),
    actor: z.string().nullable().optional(),
    /** The deletion that the write is part of, also on a record that only lost a reference. */
    operationId: z.string().optional(),
    changes: z.array(patchOperation),
  })
  .meta({ id: "HistoryItem" });
/** One write of a record; `changes` is a JSON Patch (RFC 6902) from the version before. */
export type HistoryItem = z.output<typeof historyItem>;
