import { Refusal } from "#contract/problems.ts";
import { counted } from "#lib/text/counted.ts";

/** A reason for which a record cannot be restored. */
export interface RestoreConflict {
  readonly type: string;
  readonly id: string;
  /** A property, a path, or a JSON Pointer into the data. */
  readonly property: string;
  readonly reason: "value-taken" | "target-missing" | "file-missing" | "invalid";
  readonly detail: string;
}

const maximumListed = 100;

/** 409 with the list of reasons, at most a hundred. */
export function notRestorable(conflicts: readonly RestoreConflict[]): Refusal {
  const [first] = conflicts;
  const example = first === undefined ? "" : `: ${first.property} of ${first.type} ${first.detail}`;
  const more = conflicts.length > 1 ? `, and ${counted(conflicts.length - 1, "other reason")}` : "";
  return new Refusal("not-restorable", {
    detail: `Cannot restore this record${example}${more}`,
    members: { total: conflicts.length, conflicts: conflicts.slice(0, maximumListed) },
  });
}
