import type { Reader } from "./database.ts";
import { statement } from "./database/statement.ts";

/** A file that rows name, by workspace and digest. */
export interface BlobReference {
  readonly workspaceId: string;
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  /** False where every row that names it is being removed: it may be gone already. */
  readonly isNeeded: boolean;
}

const pageSize = 500;

/** Every file that a row names, of one workspace or of all, in order; a page of rows at a time. */
export async function* blobReferences(
  reader: Reader,
  workspaceId?: string,
): AsyncGenerator<BlobReference, void, undefined> {
  let after = { workspaceId: workspaceId ?? "", sha256: "" };
  for (;;) {
    const { workspaceId: afterWorkspace, sha256: afterDigest } = after;
    const only =
      workspaceId === undefined ? statement`1 = 1` : statement`workspace_id = ${workspaceId}`;
    const rows = await reader.all<{
      workspace_id: string;
      sha256: string;
      size: number;
      needed: number;
    }>(statement`select workspace_id, sha256, max(size) as size,
        max(case when status = 'deleting' then 0 else 1 end) as needed
      from documents
      where (workspace_id, sha256) > (${afterWorkspace}, ${afterDigest}) and ${only}
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

/** Whether any row names this file, also one that is being removed. */
export async function isBlobNamed(
  reader: Reader,
  { workspaceId, sha256 }: { readonly workspaceId: string; readonly sha256: string },
): Promise<boolean> {
  const row = await reader.first(statement`select 1 as found from documents
    where workspace_id = ${workspaceId} and sha256 = ${sha256} limit 1`);
  return row !== undefined;
}
