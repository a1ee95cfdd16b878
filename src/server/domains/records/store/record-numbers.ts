import { uuidNumber } from "../../../kit/ordered-uuid.ts";
import { isOneOf } from "../../../database/dialect.ts";
import { byDialect, raw, statement, type Statement } from "../../../database/statement.ts";

/**
 * SQLite keeps records by numbers that follow from their ids and are in the ids' order: a record is
 * found in one step, and each index ends in eight bytes instead of the id's 36. PostgreSQL keeps
 * records by ids. The statements here are about the columns of `resources`.
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
    // SQLite looks up a number that follows another column in an index only with a collation.
    sqlite: statement`${uuidNumber(id)} collate binary`,
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
    // An id that no record has may share a record's number.
    sqlite: statement`(resources.record_number = ${uuidNumber(id)} and resources.id = ${id})`,
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
  const numbers = JSON.stringify(ids.map((id) => uuidNumber(id)));
  return statement`select value as record_number from json_each(${numbers})`;
}
