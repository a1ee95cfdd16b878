import * as z from "zod";
import { named } from "../deployments.ts";
import { jsonObject, timestamp } from "../values.ts";

/**
 * The version whose state a record gets. A deleted record needs none: it gets its last state, with
 * the records that its deletion has deleted and the references that it has cleared.
 */
export const restoration = z
  .strictObject({ version: z.int().min(1).max(2_147_483_647).optional() })
  .meta({ id: "Restoration" });
export type Restoration = z.output<typeof restoration>;

/** The records that a restore has brought back, and those whose references it has set again. */
export const restored = z
  .looseObject({ records: z.int(), references: z.int() })
  .meta({ id: "Restored" });

export const deletedRecord = z
  .looseObject({
    id: named(z.string()),
    type: z.string().optional(),
    /** The version that the deletion created. */
    version: z.int().optional(),
    data: jsonObject,
    deletedAt: timestamp,
    deletedBy: z.string().nullable().optional(),
    restorableUntil: timestamp,
    operationId: z.string().optional(),
    /** The record whose deletion has also deleted this one; restoring it restores both. */
    deletedWith: z.string().optional(),
  })
  .meta({ id: "DeletedRecord" });
/** A deleted record with its last data, until it can no longer be restored. */
export type DeletedRecord = z.output<typeof deletedRecord>;
