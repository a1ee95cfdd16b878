import type { Writer } from "../database/database.ts";
import { statement, type Statement } from "../database/statement.ts";

/** Serialises changes of one workspace on PostgreSQL; its members, keys and configuration. */
export async function lockWorkspace(writer: Writer, id: string): Promise<void> {
  await writer.run(statement`update workspaces set updated_at = updated_at where id = ${id}`);
}

/** Whether a workspace is not deleted: no record is written in one that is. */
export function isNotDeleted(workspaceId: string): Statement<boolean> {
  return statement<boolean>`not exists (select 1 from workspaces
    where workspaces.id = ${workspaceId} and deleted_at is not null)`;
}
