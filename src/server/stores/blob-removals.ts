import type { Reader, Writer } from "./database.ts";
import { byDialect, statement } from "./database/statement.ts";

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
 * commit, they are looked at and removed when nothing else names them.
 */
export async function requestRemovals(
  writer: Writer,
  workspaceId: string,
  given: readonly StoredBytes[],
): Promise<void> {
  if (given.length === 0) return;
  const rows = [...new Map(given.map((each) => [each.sha256, each])).values()];
  const list = JSON.stringify(rows.map(({ sha256, size }) => ({ sha256, size: Number(size) })));
  await writer.run(statement`insert into blob_removals (workspace_id, sha256, size)
    ${byDialect({
      sqlite: statement`select ${workspaceId}, value ->> 'sha256', value ->> 'size'
        from json_each(${list}) where true`,
      postgresql: statement`select ${workspaceId}::text, sha256, size
        from jsonb_to_recordset(${list}::text::jsonb) as item(sha256 text, size bigint)`,
    })}
    on conflict (workspace_id, sha256) do nothing`);
}

/** Bytes that nobody is removing right now, at most `limit` of them. */
export async function dueRemovals(
  reader: Reader,
  now: string,
  limit: number,
): Promise<(BlobKey & { readonly size: number })[]> {
  const rows = await reader.all<{ workspace_id: string; sha256: string; size: number }>(
    statement`select workspace_id, sha256, size from blob_removals
      where claimed_until is null or claimed_until < ${now}
      order by workspace_id, sha256 limit ${limit}`,
  );
  return rows.map(({ workspace_id: workspaceId, sha256, size }) => ({
    workspaceId,
    sha256,
    size: Number(size),
  }));
}

/** Takes a removal on, until a time: false when somebody else has it, or it is done. */
export async function claimRemoval(
  writer: Writer,
  { workspaceId, sha256 }: BlobKey,
  times: { readonly now: string; readonly until: string },
): Promise<boolean> {
  const { changedRows } = await writer.run(statement`update blob_removals
    set claimed_until = ${times.until}
    where workspace_id = ${workspaceId} and sha256 = ${sha256}
      and (claimed_until is null or claimed_until < ${times.now})`);
  return changedRows === 1;
}

/** The bytes are gone, or are needed again. */
export async function endRemoval(writer: Writer, { workspaceId, sha256 }: BlobKey): Promise<void> {
  await writer.run(statement`delete from blob_removals
    where workspace_id = ${workspaceId} and sha256 = ${sha256}`);
}

/** After a crash of the only process there was: nobody removes anything any more. */
export async function releaseClaims(writer: Writer): Promise<void> {
  await writer.run(statement`update blob_removals set claimed_until = null
    where claimed_until is not null`);
}
