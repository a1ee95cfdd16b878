import * as z from "zod";
import { named } from "../deployments.ts";

/** True if a deletion leaves nothing: no trash, no history, no kept answer. */
export const permanent = z
  .enum(["true", "false"])
  .optional()
  .describe("Erase it for good, with its history; also what is already deleted");

const affectedRecord = z.looseObject({ type: z.string(), id: z.string() });

/** A record that refers to another one, and the path of the reference. */
const recordReference = affectedRecord
  .extend({ property: z.string() })
  .meta({ id: "RecordReference" });

const references = z.looseObject({ total: z.int(), references: z.array(recordReference) });

export const deletionPreview = z
  .looseObject({
    /** True if the deletion would succeed now. */
    allowed: named(z.boolean()),
    /** The record itself, and those that cascade. */
    deletes: z.looseObject({ total: z.int(), records: z.array(affectedRecord) }),
    /** References that would be removed from other records. */
    clears: references,
    /** References that forbid the deletion. */
    blockedBy: references,
  })
  .meta({ id: "DeletionPreview" });
/** Everything that a deletion would do: totals, and the first hundred records of each kind. */
export type DeletionPreview = z.output<typeof deletionPreview>;
