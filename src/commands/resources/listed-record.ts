import { catalogError } from "#contract/errors.ts";
import type { JsonObject } from "#contract/values.ts";
import { isJsonObject } from "#lib/json-value.ts";

/** What `resources list` and `resources get` write of a record, as far as it is taken in again. */
export interface ListedRecord {
  readonly id: string;
  readonly type: string;
  readonly version: number;
  readonly data: JsonObject;
}

/**
 * A whole record among what was given as data, so that what one command writes another one takes
 * (`list … | jq … | batch-update`); undefined for anything else. No data look like it by chance:
 * a type would need properties of all these names and kinds.
 */
export function listedRecord(value: unknown): ListedRecord | undefined {
  if (!isJsonObject(value)) return undefined;
  const { id, type, version, data } = value;
  const isOne =
    typeof id === "string" &&
    typeof type === "string" &&
    typeof version === "number" &&
    isJsonObject(data) &&
    typeof value["created_at"] === "string";
  return isOne ? { id, type, version, data } : undefined;
}

/** The same, of this type. E302 at `place`, a pointer without its end, for one of another. */
export function recordOfType(
  value: unknown,
  type: string,
  place: string,
): ListedRecord | undefined {
  const record = listedRecord(value);
  if (record === undefined || record.type === type) return record;
  const details = `${place}/type is ${JSON.stringify(record.type)}, and not ${JSON.stringify(type)}`;
  throw catalogError("E302", { details });
}
