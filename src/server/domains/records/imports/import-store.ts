import type { Reader, Writer } from "../../../database/database.ts";
import {
  insertInto,
  raw,
  statement,
  byDialect,
  type Statement,
} from "../../../database/statement.ts";

export interface ImportRecord {
  readonly workspace_id: string;
  readonly id: string;
  readonly type_slug: string;
  readonly digest: string;
  readonly filename: string;
  /** The last row that was written or refused; 0 before the first one. */
  readonly last_row: number;
  /** The refused rows as JSON text. */
  readonly refused: string;
  readonly created_count: number;
  readonly updated_count: number;
  readonly ended_at: string | null;
  /** Counts the writes of the row, so that one request at a time continues it. */
  readonly version: number;
  readonly created_by: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly expires_at: string;
}

/** An import, and who may see it. */
export interface ImportKey {
  readonly workspaceId: string;
  readonly slug: string;
  readonly oid: string;
}

/** Imports of one caller that are kept; a new one takes the place of the oldest. */
const keptImports = 100;

export async function insertImport(writer: Writer, row: ImportRecord): Promise<void> {
  await writer.run(insertInto("record_imports", row));
  const own = statement`workspace_id = ${row.workspace_id} and created_by = ${row.created_by}`;
  await writer.run(statement`delete from record_imports where ${own} and id in (
    select id from record_imports where ${own} order by updated_at desc, id desc
    limit ${keptImports} offset ${keptImports})`);
}

export async function importById(
  reader: Reader,
  key: ImportKey,
  id: string,
): Promise<ImportRecord | undefined> {
  return oneOf(reader, key, statement`id = ${id}`);
}

/** The newest unfinished import of a file. */
export async function openImport(
  reader: Reader,
  key: ImportKey,
  digest: string,
  now: string,
): Promise<ImportRecord | undefined> {
  return oneOf(
    reader,
    key,
    statement`digest = ${digest} and ended_at is null and expires_at > ${now}
      order by created_at desc, id desc limit 1`,
  );
}

async function oneOf(
  reader: Reader,
  { workspaceId, slug, oid }: ImportKey,
  condition: Statement,
): Promise<ImportRecord | undefined> {
  const row = await reader.first<ImportRecord>(statement`select * from record_imports
    where workspace_id = ${workspaceId} and created_by = ${oid} and type_slug = ${slug}
    and ${condition}`);
  return row && withNumbers(row);
}

/** Stores the next state; returns false if the stored one is not of the version before. */
export async function advanceImport(writer: Writer, next: ImportRecord): Promise<boolean> {
  const { changedRows } = await writer.run(statement`update record_imports set
    last_row = ${next.last_row}, refused = ${next.refused},
    created_count = ${next.created_count}, updated_count = ${next.updated_count},
    ended_at = ${next.ended_at}, version = ${next.version},
    updated_at = ${next.updated_at}, expires_at = ${next.expires_at}
    where workspace_id = ${next.workspace_id} and id = ${next.id}
    and version = ${next.version - 1}`);
  return changedRows === 1;
}

/** Deletes the progress of imports that have expired, at most `limit`; returns how many. */
export async function forgetImports(writer: Writer, now: string, limit: number): Promise<number> {
  const some = (key: Statement) =>
    statement`select ${key} from record_imports where expires_at < ${now} limit ${limit}`;
  const { changedRows } = await writer.run(
    byDialect({
      sqlite: statement`delete from record_imports where rowid in (${some(raw("rowid"))})`,
      postgresql: statement`delete from record_imports
        where ctid = any (array(${some(raw("ctid"))}))`,
    }),
  );
  return changedRows;
}

/** Numbers of 64 bits are bigint on PostgreSQL. */
function withNumbers(row: ImportRecord): ImportRecord {
  return {
    ...row,
    last_row: Number(row.last_row),
    created_count: Number(row.created_count),
    updated_count: Number(row.updated_count),
    version: Number(row.version),
  };
}
