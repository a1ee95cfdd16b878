import type { Writer } from "../database/database.ts";
import { byDialect, raw, statement, type Statement } from "../database/statement.ts";

/**
 * Sizes of the feed's rows on SQLite. They are stored for some hundred rows at once, because an
 * index of the rows would be another page of each transaction. Later rows are found by their
 * numbers. PostgreSQL has an index.
 */

/** Rows of a platform between two stores of their sizes. */
export const rowsPerSizes = 256;

/** Rows of one store: another build may have written any number of rows. */
const rowsAtOnce = 2_048;

/** The number up to which rows have sizes. */
const sizedTo = raw("coalesce((select sized_to from feed_epochs), 0)");

/** Stores the sizes of the next rows; returns true if there are more. */
export async function storeSizes(writer: Writer): Promise<boolean> {
  if (writer.dialect === "postgresql") return false;
  const { changedRows } = await writer.run(statement`insert or replace into feed_sizes
    (workspace_id, number, bytes) select workspace_id, number, bytes ${unsized}`);
  if (changedRows === 0) return false;
  await writer.run(statement`update feed_epochs set sized_to = (select max(number)
    from (select number ${unsized}) as next) where name is not null`);
  return changedRows === rowsAtOnce;
}

/** A database whose feed has not begun has no row of an epoch, and stores no sizes. */
const unsized = statement`from change_batches
  where number > (select sized_to from feed_epochs) order by number limit ${rowsAtOnce}`;

/** Forgets the sizes of an earlier epoch, and those of rows that another build has removed. */
export async function confirmSizes(writer: Writer): Promise<void> {
  if (writer.dialect === "postgresql") return;
  const { changedRows } = await writer.run(
    raw(`update feed_epochs
    set sized_to = 0, sized_epoch = epoch where sized_epoch is not epoch`),
  );
  if (changedRows > 0) await writer.run(raw("delete from feed_sizes where number is not null"));
  await removeSizes(writer);
}

/** Removes the sizes of rows that are not after the floor of their workspace. */
export async function removeSizes(writer: Writer): Promise<void> {
  await writer.run(
    raw(`delete from feed_sizes where (workspace_id, number) in (
    select feed_sizes.workspace_id, feed_sizes.number from feed_floors cross join feed_sizes
    where feed_sizes.workspace_id = feed_floors.workspace_id
      and feed_sizes.number <= feed_floors.removed)`),
  );
}

/** Stores the size of a row whose events have changed. */
export async function resizeRow(
  writer: Writer,
  workspaceId: string,
  row: { readonly number: number; readonly bytes: number },
): Promise<void> {
  if (writer.dialect === "postgresql") return;
  await writer.run(statement`update feed_sizes set bytes = ${row.bytes}
    where workspace_id = ${workspaceId} and number = ${row.number}`);
}

/** Deletes rows of a workspace and their sizes, at most `limit`; returns how many rows. */
export async function eraseFeedRows(
  writer: Writer,
  workspaceId: string,
  limit: number,
): Promise<number> {
  const some = statement`select number from feed_sizes
    where workspace_id = ${workspaceId} order by number limit ${limit}`;
  const rows = await writer.run(statement`delete from change_batches where number in (${some})`);
  const sizes = await writer.run(statement`delete from feed_sizes
    where workspace_id = ${workspaceId} and number in (${some})`);
  if (sizes.changedRows > 0) return Math.max(rows.changedRows, sizes.changedRows);
  const rest = await writer.run(statement`delete from change_batches
    where number > ${sizedTo} and workspace_id = ${workspaceId}`);
  return rest.changedRows;
}

/** Selects the `number` and the `bytes` of the rows of a workspace after a number. */
export function sizesOf(workspaceId: string, after: number): Statement {
  return byDialect({
    sqlite: statement`select number, bytes from feed_sizes
        where workspace_id = ${workspaceId} and number > ${after}
      union all select number, bytes from change_batches
        where number > max(${sizedTo}, ${after}) and workspace_id = ${workspaceId}`,
    postgresql: statement`select number, bytes from change_batches
      where workspace_id = ${workspaceId} and number > ${after}`,
  });
}

/** The number of the newest row of a workspace, null without one. */
export function newestOf(workspaceId: string): Statement {
  return byDialect({
    sqlite: statement`coalesce((select max(number) from change_batches
        where number > ${sizedTo} and workspace_id = ${workspaceId}),
      (select max(number) from feed_sizes where workspace_id = ${workspaceId}))`,
    postgresql: statement`(select max(number) from change_batches
      where workspace_id = ${workspaceId})`,
  });
}

/** Selects `workspace_id` and the `number` of its newest row, for rows that have no size yet. */
export const newestUnsized = statement`select workspace_id, max(number) as number
  from change_batches where number > ${sizedTo} group by workspace_id`;

/** Selects the `workspace_id` and the `bytes` of all rows. */
export const allSizes = byDialect({
  sqlite: statement`select workspace_id, bytes from feed_sizes
    union all select workspace_id, bytes from change_batches where number > ${sizedTo}`,
  postgresql: raw("select workspace_id, bytes from change_batches"),
});

/** The table with a size of each row, once {@link storeSizes} has stored all of them. */
export const storedSizes = byDialect({
  sqlite: raw("feed_sizes"),
  postgresql: raw("change_batches"),
});
