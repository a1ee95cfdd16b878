import type { Reader, Writer } from "../../database/database.ts";
import { insertInto, statement } from "../../database/statement.ts";

export interface DraftRow {
  readonly id: string;
  /** Digest of the one-time token, which the platform does not keep. */
  readonly token_hash: string;
  readonly oid: string;
  readonly about_workspace: string | null;
  readonly organisation_location: string | null;
  /** The report as JSON text. */
  readonly bundle: string;
  readonly created_at: string;
  readonly expires_at: string;
}

export async function insertDraft(writer: Writer, row: DraftRow): Promise<void> {
  await writer.run(insertInto("support_drafts", row));
}

/** Number of drafts of a user that can still be opened. */
export async function openDrafts(reader: Reader, oid: string, now: string): Promise<number> {
  const row = await reader.first<{ count: number | string }>(
    statement`select count(*) as count from support_drafts
      where oid = ${oid} and expires_at > ${now}`,
  );
  return Number(row?.count ?? 0);
}

/** Removes the draft and returns it: only one request can have it. */
export async function takeDraft(
  writer: Writer,
  key: { readonly id: string; readonly tokenHash: string; readonly now: string },
): Promise<Pick<DraftRow, "bundle"> | undefined> {
  const [row] = await writer.all<Pick<DraftRow, "bundle">>(
    statement`delete from support_drafts where id = ${key.id}
      and token_hash = ${key.tokenHash} and expires_at > ${key.now} returning bundle`,
  );
  return row;
}

/** Removes at most `limit` drafts about a workspace; returns their number. */
export async function eraseDrafts(
  writer: Writer,
  workspaceId: string,
  limit: number,
): Promise<number> {
  const { changedRows } = await writer.run(statement`delete from support_drafts
    where id in (select id from support_drafts where about_workspace = ${workspaceId}
      limit ${limit})`);
  return changedRows;
}

/** Removes at most `limit` expired drafts; returns their number. */
export async function deleteExpiredDrafts(
  writer: Writer,
  now: string,
  limit: number,
): Promise<number> {
  const { changedRows } = await writer.run(statement`delete from support_drafts
    where id in (select id from support_drafts where expires_at <= ${now} limit ${limit})`);
  return changedRows;
}
