import type { Reader } from "../../../database/database.ts";
import type { Transaction } from "../../../work/work.ts";
import { nothing, statement, type Statement } from "../../../database/statement.ts";
import { documentColumns, documentOfRow } from "./document-row.ts";
import type { Document, DocumentColumns, DocumentKey } from "./document-row.ts";

/** Hides a document until it is restored; false when it is already being removed. */
export async function trashDocument(
  tx: Transaction,
  key: DocumentKey,
  { now, until }: { readonly now: string; readonly until: string },
): Promise<boolean> {
  // The caller has cancelled its job.
  const row = await tx.first<{ version: number }>(statement`update documents
    set trashed_status = case when status in ('queued', 'processing') then 'cancelled'
        else status end,
      status = 'deleting', trashed_until = ${until}, updated_at = ${now}, version = version + 1
    where workspace_id = ${key.workspaceId} and id = ${key.id} and status <> 'deleting'
    returning version`);
  return reported(tx, key, row, "deleted");
}

/** False when the document is not in the trash. */
export async function untrashDocument(
  tx: Transaction,
  key: DocumentKey,
  now: string,
): Promise<boolean> {
  const row = await tx.first<{ version: number }>(statement`update documents
    set status = trashed_status, trashed_status = null, trashed_until = null, updated_at = ${now},
      version = version + 1
    where workspace_id = ${key.workspaceId} and id = ${key.id} and status = 'deleting'
      and trashed_until >= ${now} returning version`);
  return reported(tx, key, row, "restored");
}

/** True with an event where the statement has changed the document. */
function reported(
  tx: Transaction,
  { workspaceId, id }: DocumentKey,
  row: { readonly version: number } | undefined,
  op: "deleted" | "restored",
): boolean {
  if (row === undefined) return false;
  tx.event("document", id, workspaceId, { op, version: Number(row.version) });
  return true;
}

export interface TrashPage {
  readonly after: { readonly updatedAt: string; readonly id: string } | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** Documents of a workspace that can be restored, last deleted first. */
export function trashedDocuments(
  reader: Reader,
  workspaceId: string,
  now: string,
  { after, offset, limit }: TrashPage,
): Promise<Document[]> {
  const bound =
    after === undefined
      ? nothing
      : statement`and (updated_at, id) < (${after.updatedAt}, ${after.id})`;
  return many(
    reader,
    statement`workspace_id = ${workspaceId} and status = 'deleting' and trashed_until >= ${now}
      ${bound} order by updated_at desc, id desc limit ${limit} offset ${offset}`,
  );
}

/** Documents of all workspaces whose time in the trash has ended. */
export function expiredDocuments(reader: Reader, now: string, limit: number): Promise<Document[]> {
  return many(
    reader,
    statement`trashed_until < ${now} and status = 'deleting' order by trashed_until limit ${limit}`,
  );
}

async function many(reader: Reader, which: Statement): Promise<Document[]> {
  const rows = await reader.all<DocumentColumns>(
    statement`select ${documentColumns} from documents where ${which}`,
  );
  return rows.map(documentOfRow);
}
