import { catalogError } from "#contract/errors.ts";
import type { JsonObject } from "#contract/values.ts";
import { isJsonObject } from "#lib/json/value.ts";

/** The parts of a record from `resources list` or `resources get` that other commands read. */
export interface ListedRecord {
  readonly id: string;
  readonly type: string;
  readonly version: number;
  readonly data: JsonObject;
}

/** A whole record that was given as data, as in `list … | jq … | batch-update`, or undefined. */
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

/** A whole record of this type. Throws E302 for another type; `at` is the record's pointer. */
export function recordOfType(value: unknown, type: string, at: string): ListedRecord | undefined {
  const record = listedRecord(value);
  if (record === undefined || record.type === type) return record;
  const details = `${at}/type is ${JSON.stringify(record.type)}, not ${JSON.stringify(type)}`;
  throw catalogError("E302", { details });
}
