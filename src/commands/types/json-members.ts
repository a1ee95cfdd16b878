import { isJsonObject } from "#lib/json-value.ts";

/** The members of a JSON object, by name. */
export type Members = Readonly<Record<string, unknown>>;

/** A JSON object's members; none of anything else. */
export function membersOrNone(value: unknown): Members {
  return isJsonObject(value) ? value : {};
}
