import { Refusal } from "#contract/problems.ts";
import { counted } from "#lib/text/counted.ts";
import type { Work } from "../../../work/work.ts";
import { readableFields, type CompiledType } from "../../object-types/service.ts";
import { mayNameField } from "../rights/permitted-data.ts";

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

/** 409 with the number of reasons, and those that the caller may know, at most a hundred. */
export function notRestorable(
  work: Work,
  types: readonly CompiledType[],
  conflicts: readonly RestoreConflict[],
): Refusal {
  const known = conflicts.flatMap((conflict) => shownConflict(work, types, conflict));
  const [first] = known;
  const place = first?.property === "" ? first.type : `${first?.property} of ${first?.type}`;
  const example = first === undefined ? "" : `: ${place} ${first.detail}`;
  const more = conflicts.length > 1 ? `, and ${counted(conflicts.length - 1, "other reason")}` : "";
  return new Refusal("not-restorable", {
    detail: `Cannot restore this record${example}${more}`,
    members: { total: conflicts.length, conflicts: known.slice(0, maximumListed) },
  });
}

/** Neither a hidden type nor the name and the value of a hidden field leave the platform. */
function shownConflict(
  work: Work,
  types: readonly CompiledType[],
  conflict: RestoreConflict,
): RestoreConflict[] {
  const type = types.find(({ slug }) => slug === conflict.type);
  if (type === undefined || readableFields(work, type) === undefined) return [];
  if (mayNameField(work, type, conflict.property)) return [conflict];
  const detail = "has a property that you may not read and that prevents it";
  return [{ ...conflict, property: "", detail }];
}
