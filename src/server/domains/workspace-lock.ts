import type { Writer } from "../database/database.ts";
import { statement } from "../database/statement.ts";

/** Serialises changes of one workspace on PostgreSQL; its members, keys and configuration. */
export async function lockWorkspace(writer: Writer, id: string): Promise<void> {
  await writer.run(statement`update workspaces set updated_at = updated_at where id = ${id}`);
}
