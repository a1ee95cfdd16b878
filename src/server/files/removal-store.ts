import type { Reader, Writer } from "../database/database.ts";
import { byDialect, statement, type Statement } from "../database/statement.ts";

export interface StoredBytes {
  readonly sha256: string;
  readonly size: number;
}

export interface BlobKey {
  readonly workspaceId: string;
  readonly sha256: string;
}

/**
 * Requests removal of bytes in the transaction that dropped their reference. An existing request is
 * opened again, so that a removal that is just ending checks the references once more.
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

export interface Remover {
  readonly owner: string;
  readonly now: string;
}

/** Removals without another owner's valid claim, at most `limit`, in order after a key. */
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

/** Claims a removal until a time; false if another owner has it, or it has ended. */
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

/** Ends a removal whose bytes are gone. */
export async function endRemoval(writer: Writer, key: BlobKey, now: string): Promise<void> {
  await writer.run(statement`update blob_removals
    set claimed_by = null, claimed_until = null, removed_at = ${now}, removals = removals + 1
    where ${isOf(key)}`);
}

/** Ends a removal whose bytes stay, because a row references them. */
export async function dropRemoval(writer: Writer, key: BlobKey, now: string): Promise<void> {
  await writer.run(statement`update blob_removals
    set claimed_by = null, claimed_until = null, removed_at = ${now} where ${isOf(key)}`);
}

export async function isRemovalOpen(reader: Reader, key: BlobKey): Promise<boolean> {
  const row = await reader.first(statement`select 1 as found from blob_removals
    where ${isOf(key)} and removed_at is null`);
  return row !== undefined;
}

/**
 * How often these bytes were removed. An upload reads it before it publishes and in its
 * transaction: a different number means that the bytes may be gone again.
 */
export async function removalsOf(reader: Reader, key: BlobKey): Promise<number> {
  const row = await reader.first<{ removals: number }>(statement`select removals
    from blob_removals where ${isOf(key)}`);
  return Number(row?.removals ?? 0);
}

/** Deletes removals that ended before a time, at most `limit`; returns how many. */
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

/** Releases the claims of one owner, or all claims, after a crash. */
export async function releaseClaims(writer: Writer, owner: string | undefined): Promise<void> {
  const which = owner === undefined ? statement`is not null` : statement`= ${owner}`;
  await writer.run(statement`update blob_removals set claimed_by = null, claimed_until = null
    where claimed_by ${which}`);
}

export function isOf({ workspaceId, sha256 }: BlobKey): Statement {
  return statement`workspace_id = ${workspaceId} and sha256 = ${sha256}`;
}
