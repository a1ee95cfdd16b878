import { uuidNumber } from "../../../kit/ordered-uuid.ts";
import { isOneOf } from "../../../database/dialect.ts";
import { farthestNumber, numberOf, numbersOf } from "../../../database/shared-numbers.ts";
import { byDialect, raw, statement, type Statement } from "../../../database/statement.ts";

/*
 * SQLite keys records by numbers that are computed from their ids and have the same order: a lookup
 * takes one step, and index entries end in 8 bytes instead of 36. The few exceptions are in
 * `database/shared-numbers.ts`.
 * PostgreSQL keys records by ids. The statements here are about the columns of `resources`.
 */

/** The sort key for the order of creation. */
export const idOrder: Statement = byDialect({
  sqlite: raw("resources.record_number"),
  postgresql: raw("resources.id"),
});

/** The value of {@link idOrder} for an id; without a record, a place between its neighbours. */
export function placeOf(id: string): Statement {
  return byDialect({
    // SQLite looks up a number that follows another column in an index only with a collation.
    sqlite: statement`${numberOf(id)} collate binary`,
    postgresql: statement`${id}`,
  });
}

/**
 * SQLite: a condition that every record passes whose id compares so to `id`, and few others pass.
 * Always true for a text without a place.
 */
export function isBeside(operator: ">" | ">=" | "<" | "<=", id: string): Statement<boolean> {
  const number = uuidNumber(id);
  if (number === 0) return raw("true");
  return operator.startsWith(">")
    ? statement<boolean>`${idOrder} >= ${number - farthestNumber} collate binary`
    : statement<boolean>`${idOrder} <= ${number} collate binary`;
}

/** True if a row is the record with this id. */
export function isRecord(id: string): Statement<boolean> {
  return byDialect<boolean>({
    // An id that no record has may share a record's number.
    sqlite: statement`(resources.record_number = ${numberOf(id)} and resources.id = ${id})`,
    postgresql: statement`resources.id = ${id}`,
  });
}

/** True if a row is one of the records with these ids, bound as one value. */
export function isOneOfRecords(ids: readonly string[]): Statement<boolean> {
  const isListed = isOneOf(raw("resources.id"), ids);
  return byDialect<boolean>({
    // Numbers of many ids take time, which PostgreSQL has no use for.
    get sqlite() {
      return statement`(resources.record_number in (${numbersOf(ids)}) and ${isListed})`;
    },
    postgresql: isListed,
  });
}

/**
 * True if a row is one of the records of a workspace with these ids, of whatever type. The key of
 * PostgreSQL has the type before the id: without the types it would read the whole workspace.
 */
export function isOneOfWorkspaceRecords(
  workspaceId: string,
  ids: readonly string[],
): Statement<boolean> {
  const isOfType = byDialect<boolean>({
    sqlite: raw("true"),
    postgresql: statement`resources.type_number = any (array(
      select number from object_types where workspace_id = ${workspaceId}))`,
  });
  return statement<boolean>`(resources.workspace_id = ${workspaceId}
    and ${isOfType} and ${isOneOfRecords(ids)})`;
}
