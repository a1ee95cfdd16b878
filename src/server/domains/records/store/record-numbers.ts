import { uuidNumber } from "../../../kit/ordered-uuid.ts";
import type { Reader } from "../../../database/database.ts";
import { isOneOf } from "../../../database/dialect.ts";
import { byDialect, raw, statement, type Statement } from "../../../database/statement.ts";

/**
 * SQLite keeps records by numbers that follow from their ids and are in the ids' order: a record is
 * found in one step, and each index ends in eight bytes instead of the id's 36. Where the generator of
 * earlier releases gave ids that share a number, all but the first have the next ones, which
 * `resource_numbers` knows, also of records that are deleted by now. PostgreSQL keeps records by ids.
 *
 * All of this is about the columns of `resources`.
 */

/** What records stand in the order of their creation by. */
export const idOrder: Statement = byDialect({
  sqlite: raw("resources.record_number"),
  postgresql: raw("resources.id"),
});

/**
 * Where an id stands in that order: at its record, and for any other text of an id's form between the
 * records before and behind it, or at the last one before it.
 */
export function placeOf(id: string): Statement {
  return byDialect({
    // Only beside a collation does SQLite look up numbers that stand behind another column in an index.
    sqlite: statement`max(${uuidNumber(id)}, coalesce((select record_number
      from resource_numbers where id <= ${id} order by id desc limit 1), 0)) collate binary`,
    postgresql: statement`${id}`,
  });
}

/**
 * SQLite: whether a record stands on one side of an id's place, or on it: what all of those do whose
 * ids are so compared. Always, for a text that has no place.
 */
export function isBeside(operator: ">" | ">=" | "<" | "<=", id: string): Statement<boolean> {
  if (uuidNumber(id) === 0) return raw("true");
  const words = raw(operator.startsWith(">") ? ">=" : "<=");
  return statement<boolean>`${idOrder} ${words} ${placeOf(id)}`;
}

/** Whether a row is the record with the id. */
export function isRecord(id: string): Statement<boolean> {
  return byDialect<boolean>({
    // Ids that are no record's may have the number of one.
    sqlite: statement`(resources.record_number = coalesce((select record_number
      from resource_numbers where id = ${id}), ${uuidNumber(id)}) and resources.id = ${id})`,
    postgresql: statement`resources.id = ${id}`,
  });
}

/** Whether it is one of the records with these ids, bound as one value however many they are. */
export function isOneOfRecords(ids: readonly string[]): Statement<boolean> {
  return byDialect<boolean>({
    sqlite: statement`(resources.record_number in (${numbersOf(ids)})
      and ${isOneOf(raw("resources.id"), ids)})`,
    postgresql: isOneOf(raw("resources.id"), ids),
  });
}

/** SQLite: a select of the numbers that records with these ids have. */
export function numbersOf(ids: readonly string[]): Statement {
  const given = JSON.stringify(ids.map((id) => [id, uuidNumber(id)]));
  return statement`select coalesce((select record_number from resource_numbers
    where id = value ->> 0), value ->> 1) as record_number from json_each(${given})`;
}

/** SQLite: the largest number of a record, behind which those of new ones begin; zero without any. */
export async function lastNumber(reader: Reader): Promise<number> {
  const row = await reader.first<{ last: number | null }>(
    raw("select max(record_number) as last from resources"),
  );
  return row?.last ?? 0;
}
