import type { Reader, Writer } from "../../database/database.ts";
import { isOneOf } from "../../database/dialect.ts";
import { forgetNumbers } from "../../database/shared-numbers.ts";
import { byDialect, raw, statement } from "../../database/statement.ts";
import type { TypeKey } from "../object-types/service.ts";
import { removeAllEntries, removeEntries } from "./store/search/entries.ts";

export interface ErasedRecords {
  readonly records: number;
  readonly historyEntries: number;
  readonly searchEntries: number;
}

/** Removes up to `limit` records of a type without a trace in their histories. */
export async function eraseRecords(
  writer: Writer,
  type: TypeKey,
  limit: number,
): Promise<ErasedRecords> {
  const { workspaceId, number } = type;
  const rows = await writer.all<{ id: string }>(
    byDialect({
      sqlite: statement`delete from resources where record_number in
        (select record_number from resources where type_number = ${number} limit ${limit})
        returning id`,
      postgresql: statement`delete from resources
        where workspace_id = ${workspaceId} and type_number = ${number} and id in
          (select id from resources where workspace_id = ${workspaceId}
            and type_number = ${number} limit ${limit})
        returning id`,
    }),
  );
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) {
    const searchEntries = await removeAllEntries(writer, type, limit);
    return { records: 0, historyEntries: 0, searchEntries };
  }
  await removeEntries(writer, type, ids);
  const isOfThem = isOneOf(raw("resource_id"), ids);
  const { changedRows } = await writer.run(
    byDialect({
      sqlite: statement`delete from resource_history where ${isOfThem}`,
      postgresql: statement`delete from resource_history
        where workspace_id = ${workspaceId} and ${isOfThem}`,
    }),
  );
  await forgetNumbers(writer, ids);
  return { records: ids.length, historyEntries: changedRows, searchEntries: 0 };
}

/** Entries of the history that one transaction looks through. */
const windowRows = 4_000;

/**
 * SQLite: removes histories of records that were deleted earlier, which only their types' numbers
 * find. Returns the place to go on from, or undefined at the end of the table.
 */
export async function eraseOldHistories(
  writer: Writer,
  typeNumbers: readonly number[],
  afterId: string,
): Promise<{ readonly historyEntries: number; readonly lastId: string | undefined }> {
  const last = await writer.first<{ id: string }>(statement`select resource_id as id
    from resource_history where resource_id > ${afterId}
    order by resource_id limit 1 offset ${windowRows}`);
  const upTo = last === undefined ? raw("") : statement`and resource_id <= ${last.id}`;
  await writer.run(statement`delete from shared_numbers where id > ${afterId}
    and exists (select 1 from resource_history where resource_id = shared_numbers.id ${upTo}
      and type_number in (select value from json_each(${JSON.stringify(typeNumbers)})))`);
  const { changedRows } = await writer.run(statement`delete from resource_history
    where resource_id > ${afterId} ${upTo}
      and type_number in (select value from json_each(${JSON.stringify(typeNumbers)}))`);
  return { historyEntries: changedRows, lastId: last?.id };
}

/** The numbers of a workspace's types. */
export async function typeNumbersOf(reader: Reader, workspaceId: string): Promise<number[]> {
  const rows = await reader.all<{ number: number }>(
    statement`select number from object_types where workspace_id = ${workspaceId} order by number`,
  );
  return rows.map(({ number }) => number);
}

/** Removes types that have no record; from then on no request can write one. */
export async function eraseTypes(writer: Writer, workspaceId: string): Promise<number> {
  const { changedRows } = await writer.run(statement`delete from object_types
    where workspace_id = ${workspaceId} and not exists (select 1 from resources
      where resources.workspace_id = ${workspaceId}
        and resources.type_number = object_types.number)`);
  return changedRows;
}
