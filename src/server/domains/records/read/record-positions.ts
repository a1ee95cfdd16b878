import type { Reader } from "../../../database/database.ts";
import { cursorRefusal, type CursorValue } from "../../../kit/lists/cursors.ts";
import type { ReadableType } from "../../object-types/service.ts";
import { sortValuesOf } from "../store/read/record-pages.ts";
import type { SortKey, SortValue } from "../store/read/sort.ts";

/** Bytes of a position's sort values; longer ones are looked up by the record's id. */
const maximumValueBytes = 2_000;

export interface SortedType {
  readonly type: ReadableType;
  readonly keys: readonly SortKey[];
}

/** A record's position in a list: its id, its type, and its sort values unless they are long. */
export function recordPosition(
  id: string,
  type: ReadableType,
  values: readonly SortValue[],
): readonly CursorValue[] {
  const isShort = Buffer.byteLength(JSON.stringify(values)) <= maximumValueBytes;
  return isShort ? [id, type.number, ...values] : [id, type.number];
}

/** The sort values of a position; 422 at `place` for a deleted record that has to be looked up. */
export async function valuesAtPosition(
  reader: Reader,
  sorted: readonly SortedType[],
  [id, number, ...values]: readonly CursorValue[],
  place: readonly string[],
): Promise<readonly SortValue[]> {
  if (values.length > 0) return values;
  const of = sorted.find(({ type }) => type.number === number);
  const current = of && (await sortValuesOf(reader, of.type, of.keys, String(id)));
  if (current !== undefined) return current;
  throw cursorRefusal(place, "points to a deleted record: begin again without it");
}
