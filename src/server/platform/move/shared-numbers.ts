import { catalogError, type CatalogError } from "#contract/errors.ts";
import type { Reader } from "../../database/database.ts";
import { isOneOf } from "../../database/dialect.ts";
import { raw, statement } from "../../database/statement.ts";
import { uuidNumber } from "../../kit/ordered-uuid.ts";
import type { DuplicateError } from "../../kit/storage-errors.ts";
import { keyOf } from "./row-values.ts";
import type { TableChange } from "./side.ts";
import type { MovedTable } from "./tables.ts";

/**
 * E205 for rows that the target cannot have together. On SQLite a record's number follows from the
 * time and the counter in its id, so that two records of PostgreSQL may have one.
 */
export async function sharedNumber(
  target: Reader,
  table: MovedTable,
  { added }: TableChange,
  cause: DuplicateError,
): Promise<CatalogError> {
  const ids = added.map((row) => String(keyOf(table, row)[0]));
  const pair = table.name === "resources" ? await pairOf(target, ids) : undefined;
  if (pair === undefined) {
    const details = `the target has a row of ${table.name} with the key of another one`;
    const hint = "Move into an empty target again";
    return catalogError("E205", { details }, { hint, cause });
  }
  const [one, other] = pair;
  return catalogError(
    "E205",
    { details: `the records ${one} and ${other} have one number on SQLite` },
    {
      hint:
        "Two platforms made them in the same instant. Create one of them again, delete it, and " +
        "run the same command: the move continues",
      cause,
    },
  );
}

/** Two of these ids with one number, or one of them and the id of a stored record. */
async function pairOf(
  target: Reader,
  ids: readonly string[],
): Promise<readonly [string, string] | undefined> {
  const numbers = new Map<number, string>();
  for (const id of ids) {
    const number = uuidNumber(id);
    const other = numbers.get(number);
    if (other !== undefined) return [other, id];
    numbers.set(number, id);
  }
  if (target.dialect !== "sqlite") return undefined;
  const rows = await target.all<{ id: string; number: number }>(statement`select id,
      record_number as number from resources
    where ${isOneOf(raw("cast(record_number as text)"), [...numbers.keys()].map(String))}`);
  const [found] = rows;
  const own = found && numbers.get(Number(found.number));
  return found === undefined || own === undefined ? undefined : [found.id, own];
}
