import type { Reader, Writer } from "../database/database.ts";
import { byDialect, statement, type Statement } from "../database/statement.ts";

/** Bytes of a workspace's file store. */
export interface StoredBytes {
  readonly sha256: string;
  readonly size: number;
}

/** A file by workspace and digest. */
export interface BlobKey {
  readonly workspaceId: string;
  readonly sha256: string;
}

/**
 * Notes bytes that a row has just given up, in the unit in which it did: whatever happens after the
 * commit, they are looked at and removed when nothing else names them. A note that is there already
 * is written again: whoever looks at it at this moment has then to look once more.
 */
export async function requestRemovals(
  writer: Writer,
  workspaceId: string,
  given: readonly StoredBytes[],
): Promise<void> {
  if (given.length === 0) return;
  const rows = [...new Map(given.map((each) => [each.sha256, each])).values()];
  const list = JSON.stringify(rows.map(({ sha256, size }) => ({ sha256, size: Number(size) })));
  await writer.run(statement`insert into blob_removals (workspace_id, sha256, size, removals)
    ${byDialect({
      sqlite: statement`select ${workspaceId}, value ->> 'sha256', value ->> 'size', 0
        from json_each(${list}) where true`,
      postgresql: statement`select ${workspaceId}::text, sha256, size, 0
        from jsonb_to_recordset(${list}::text::jsonb) as item(sha256 text, size bigint)`,
    })}
    on conflict (workspace_id, sha256) do update set removed_at = null`);
}

/** Who removes, and when: a claim of somebody else holds until its time is over. */
export interface Remover {
  readonly owner: string;
  readonly now: string;
}

/** Bytes that may be removed now, at most `limit` of them, in order behind a key. */
export async function dueRemovals(
  reader: Reader,
  remover: Remover,
  after: BlobKey,
  limit: number,
): Promise<BlobKey[]> {
  const rows = await reader.all<{ workspace_id: string; sha256: string }>(
    statement`select workspace_id, sha256 from blob_removals
      where (workspace_id, sha256) > (${after.workspaceId}, ${after.sha256})
        and removed_at is null and ${isFree(remover)}
      order by workspace_id, sha256 limit ${limit}`,
  );
  return rows.map(({ workspace_id: workspaceId, sha256 }) => ({ workspaceId, sha256 }));
}

/** Takes a removal on, until a time: false when somebody else has it, or it has ended. */
export async function claimRemoval(
  writer: Writer,
  key: BlobKey,
  remover: Remover & { readonly until: string },
): Promise<boolean> {
  const { changedRows } = await writer.run(statement`update blob_removals
    set claimed_by = ${remover.owner}, claimed_until = ${remover.until}
    where ${isOf(key)} and removed_at is null and ${isFree(remover)}`);
  return changedRows === 1;
}

function isFree({ owner, now }: Remover): Statement {
  return statement`(claimed_by is null or claimed_by = ${owner} or claimed_until < ${now})`;
}

/** The bytes are gone. */
export async function endRemoval(writer: Writer, key: BlobKey, now: string): Promise<void> {
  await writer.run(statement`update blob_removals
    set claimed_by = null, claimed_until = null, removed_at = ${now}, removals = removals + 1 where ${isOf(key)}`);
}

/** The bytes stay: something names them. */
export async function dropRemoval(writer: Writer, key: BlobKey, now: string): Promise<void> {
  await writer.run(statement`update blob_removals
    set claimed_by = null, claimed_until = null, removed_at = ${now} where ${isOf(key)}`);
}

/** Whether a removal of these bytes is still to come or under way. */
export async function isRemovalOpen(reader: Reader, key: BlobKey): Promise<boolean> {
  const row = await reader.first(statement`select 1 as found from blob_removals
    where ${isOf(key)} and removed_at is null`);
  return row !== undefined;
}

/**
 * How often these bytes were taken away. Whoever puts them back reads it before, and in the unit
 * that names them again: another number says that they may be gone once more.
 */
export async function removalsOf(reader: Reader, key: BlobKey): Promise<number> {
  const row = await reader.first<{ removals: number }>(statement`select removals
    from blob_removals where ${isOf(key)}`);
  return Number(row?.removals ?? 0);
}

/** Forgets removals that ended before a time, at most `limit` of them; how many. */
export async function forgetRemovals(
  writer: Writer,
  before: string,
  limit: number,
): Promise<number> {
  const { changedRows } =
    await writer.run(statement`delete from blob_removals where (workspace_id, sha256) in (
    select workspace_id, sha256 from blob_removals where removed_at < ${before} limit ${limit})`);
  return changedRows;
}

/** After a crash: what an owner has begun is free again, or what anybody has. */
export async function releaseClaims(writer: Writer, owner: string | undefined): Promise<void> {
  const which = owner === undefined ? statement`is not null` : statement`= ${owner}`;
  await writer.run(statement`update blob_removals set claimed_by = null, claimed_until = null
    where claimed_by ${which}`);
}

/** Rows of one file. */
export function isOf({ workspaceId, sha256 }: BlobKey): Statement {
  return statement`workspace_id = ${workspaceId} and sha256 = ${sha256}`;
}
