import type { Writer } from "../database/database.ts";
import { byDialect, raw, statement, type Statement } from "../database/statement.ts";
import { workspaceNotFound } from "./refusals.ts";

/** The index `workspaces_by_deleted_id` has it on PostgreSQL. */
const deletedId = byDialect({ sqlite: raw("id"), postgresql: raw("id || ''") });

/** True if a workspace is not deleted: no record is written in one that is. */
export function isNotDeleted(workspaceId: string): Statement<boolean> {
  return statement<boolean>`not exists (select 1 from workspaces
    where ${deletedId} = ${workspaceId} and deleted_at is not null)`;
}

/** Refuses 404 in a transaction for a workspace that is deleted or purged. */
export async function requireLiving(writer: Writer, workspaceId: string): Promise<void> {
  const row = await writer.first(statement`select 1 as found where ${isNotDeleted(workspaceId)}
    and not exists (select 1 from purged_workspaces where id = ${workspaceId})`);
  if (row === undefined) throw workspaceNotFound();
}
