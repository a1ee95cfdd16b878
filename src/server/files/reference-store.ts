import { isOf, type BlobKey } from "./removal-store.ts";
import type { Reader } from "../database/database.ts";
import { raw, statement, type Statement } from "../database/statement.ts";

export interface BlobReference extends BlobKey {
  readonly size: number;
  /** False if every row that references it is being removed, so it may be gone already. */
  readonly isNeeded: boolean;
}

const pageSize = 500;

/**
 * Every file that documents, records, imports and open removals of one workspace or of all
 * reference, in order, read page by page.
 */
export async function* blobReferences(
  reader: Reader,
  workspaceId?: string,
): AsyncGenerator<BlobReference, void, undefined> {
  let after = { workspaceId: workspaceId ?? "", sha256: "" };
  for (;;) {
    const only =
      workspaceId === undefined ? statement`1 = 1` : statement`workspace_id = ${workspaceId}`;
    const which = statement`(workspace_id, sha256) > (${after.workspaceId}, ${after.sha256})
      and ${only}`;
    const alive = firstOf("documents", 1, statement`${which} and ${isAlive}`);
    const deleting = firstOf("documents", 0, statement`${which} and ${isDeleting}`);
    const trashed = firstOf("documents", 1, statement`${which} and ${isTrashed}`);
    // An import that has ended has no file.
    const imported = firstOf("geo_imports", 1, statement`${which} and sha256 is not null`);
    // A platform works without archives, which live for a day.
    const archived = firstOf("workspace_archives", 0, statement`${which} and sha256 is not null`);
    const unended = firstOf("blob_removals", 0, statement`${which} and ${isUnended}`);
    const rows = await reader.all<{
      workspace_id: string;
      sha256: string;
      size: number;
      needed: number;
    }>(statement`select workspace_id, sha256, max(size) as size, max(needed) as needed from (
        select * from (${alive}) as of_documents
        union all
        select * from (${deleting}) as of_removed
        union all
        select * from (${trashed}) as of_trash
        union all
        select * from (${firstOf("resource_files", 1, which)}) as of_records
        union all
        select * from (${imported}) as of_imports
        union all
        select * from (${archived}) as of_archives
        union all
        select * from (${unended}) as of_removals
      ) as named
      group by workspace_id, sha256 order by workspace_id, sha256 limit ${pageSize}`);
    for (const row of rows) {
      yield {
        workspaceId: row.workspace_id,
        sha256: row.sha256,
        size: Number(row.size),
        isNeeded: Number(row.needed) === 1,
      };
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return;
    after = { workspaceId: last.workspace_id, sha256: last.sha256 };
  }
}

const isUnended = statement`removed_at is null`;
// Each condition has its own index; no index serves a query for both.
const isAlive = statement`status <> 'deleting'`;
const isDeleting = statement`status = 'deleting'`;
const isTrashed = statement`status = 'deleting' and trashed_until is not null`;

/** One page of a table: enough for a page of all tables. */
function firstOf(
  table: "documents" | "resource_files" | "geo_imports" | "workspace_archives" | "blob_removals",
  needed: 0 | 1,
  which: Statement,
): Statement {
  return statement`select workspace_id, sha256, max(size) as size, ${raw(String(needed))} as needed
    from ${raw(table)} where ${which}
    group by workspace_id, sha256 order by workspace_id, sha256 limit ${pageSize}`;
}

/** True if any row references this file, also a row that is being removed. */
export async function isBlobNamed(reader: Reader, key: BlobKey): Promise<boolean> {
  return exists(
    reader,
    statement`select 1 as found from documents where ${isOf(key)} and ${isAlive}
      union all select 1 from documents where ${isOf(key)} and ${isDeleting}
      union all select 1 from resource_files where ${isOf(key)}
      union all select 1 from geo_imports where ${isOf(key)}
      union all select 1 from workspace_archives where ${isOf(key)}
      union all select 1 from blob_removals where ${isOf(key)} and ${isUnended}`,
  );
}

/** True if a kept document, a record, the trash, an import or an archive needs a file. */
export async function isFileOwned(reader: Reader, key: BlobKey): Promise<boolean> {
  return exists(
    reader,
    statement`select 1 as found from documents where ${isOf(key)} and ${isAlive}
      union all select 1 from documents where ${isOf(key)} and ${isTrashed}
      union all select 1 from resource_files where ${isOf(key)}
      union all select 1 from geo_imports where ${isOf(key)}
      union all select 1 from workspace_archives where ${isOf(key)}`,
  );
}

/** True if a removal may be about to take this file away. */
export async function isFileBeingRemoved(reader: Reader, key: BlobKey): Promise<boolean> {
  return exists(
    reader,
    statement`select 1 as found from documents where ${isOf(key)} and ${isDeleting}
        and trashed_until is null
      union all
      select 1 from blob_removals where ${isOf(key)} and claimed_by is not null`,
  );
}

async function exists(reader: Reader, rows: Statement): Promise<boolean> {
  return (
    (await reader.first(statement`select found from (${rows}) as named limit 1`)) !== undefined
  );
}
